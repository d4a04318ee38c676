import type { Column, View } from '../output/view.ts'

/** Which fields a person sees of each kind of record, the most telling first. */

const statusTint: Column['tint'] = (value) =>
  ({ scheduled: 'green', active: 'green', completed: 'dim', canceled: 'red', no_show: 'yellow', waiting: 'yellow' })[String(value)] as never

export const id: Column = { field: 'id', title: 'ID', weight: 0 }

export const customerView: View = {
  columns: [
    id,
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'email', title: 'E-mail', weight: 2 },
    { field: 'phone', title: 'Phone', weight: 3 },
    { field: 'deleted_at', title: 'Hidden', weight: 4 },
  ],
  empty: 'No customers found.',
}

export const staffView: View = {
  columns: [
    id,
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'email', title: 'E-mail', weight: 3 },
    { field: 'time_zone', title: 'Zone', weight: 2 },
    { field: 'active', title: 'Active', weight: 4 },
  ],
  empty: 'No staff members found.',
}

export const availableView: View = {
  columns: [
    { field: 'start_time', title: 'Start', weight: 1 },
    { field: 'end_time', title: 'End', weight: 3 },
    { field: 'staff_member_ids', title: 'Staff', weight: 2 },
  ],
  empty: 'No available times in that window.',
}

export const serviceView: View = {
  columns: [
    id,
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'category', title: 'Category', weight: 2 },
    { field: 'active', title: 'Active', weight: 3 },
  ],
  empty: 'No services found.',
}

export const appointmentTypeView: View = {
  columns: [
    id,
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'duration', title: 'Minutes', weight: 2 },
    { field: 'price', title: 'Price', weight: 3 },
    { field: 'currency', title: '', weight: 3 },
    { field: 'staff_member_ids', title: 'Staff', weight: 4 },
    { field: 'service_id', title: 'Service', weight: 5 },
    { field: 'active', title: 'Active', weight: 6 },
  ],
  empty: 'No appointment types found.',
}

export const appointmentView: View = {
  columns: [
    id,
    { field: 'start_time', title: 'Start', weight: 1 },
    { field: 'duration', title: 'Minutes', weight: 6 },
    { field: 'customer.name', title: 'Customer', weight: 2 },
    { field: 'appointment_type.name', title: 'Type', weight: 4 },
    { field: 'staff_member.name', title: 'Staff', weight: 3 },
    { field: 'status', title: 'Status', weight: 5, tint: statusTint },
  ],
  empty: 'No appointments found.',
}

export const classView: View = {
  columns: [
    id,
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'recurrence.rrule', title: 'Recurs', weight: 4 },
    { field: 'duration', title: 'Minutes', weight: 3 },
    { field: 'capacity', title: 'Seats', weight: 2 },
    { field: 'price', title: 'Price', weight: 6 },
    { field: 'currency', title: '', weight: 6 },
    { field: 'staff_member_id', title: 'Staff', weight: 5 },
    { field: 'active', title: 'Active', weight: 7 },
  ],
  empty: 'No classes found.',
}

export const scheduleView: View = {
  columns: [
    { field: 'created', title: 'Made', weight: 0 },
    { field: 'existing', title: 'There already', weight: 1 },
    { field: 'conflicts', title: 'Conflicts', weight: 2 },
    { field: 'session_ids', title: 'Sessions', weight: 3 },
  ],
}

export const sessionView: View = {
  columns: [
    id,
    { field: 'start_time', title: 'Start', weight: 1 },
    { field: 'duration', title: 'Minutes', weight: 8 },
    { field: 'class.name', title: 'Class', weight: 2 },
    { field: 'staff_member.name', title: 'Staff', weight: 4 },
    { field: 'seats.taken', title: 'Taken', weight: 3 },
    { field: 'seats.total', title: 'Seats', weight: 3 },
    { field: 'seats.waiting', title: 'Waiting', weight: 6 },
    { field: 'location', title: 'Where', weight: 7 },
    { field: 'status', title: 'Status', weight: 5, tint: statusTint },
  ],
  empty: 'No sessions found.',
}

export const attendeeView: View = {
  columns: [
    id,
    { field: 'customer.name', title: 'Customer', weight: 1 },
    { field: 'customer.email', title: 'E-mail', weight: 3 },
    { field: 'customer.phone', title: 'Phone', weight: 4 },
    { field: 'status', title: 'Status', weight: 2, tint: statusTint },
  ],
  empty: 'No attendees found.',
}

const lastSegment = (value: unknown): string =>
  String(value ?? '')
    .split('/')
    .at(-1) as string

export const uuid: Column = { field: 'uri', title: 'UUID', weight: 0, show: lastSegment }

export const eventView: View = {
  columns: [
    uuid,
    { field: 'start_time', title: 'Start', weight: 1 },
    { field: 'name', title: 'Name', weight: 2 },
    { field: 'event_memberships.0.user_name', title: 'Host', weight: 4 },
    { field: 'invitees_counter.active', title: 'Invitees', weight: 5 },
    { field: 'status', title: 'Status', weight: 3, tint: statusTint },
  ],
  empty: 'No events found.',
}

export const inviteeView: View = {
  columns: [
    { field: 'uri', title: 'URI', weight: 0 },
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'email', title: 'E-mail', weight: 2 },
    { field: 'status', title: 'Status', weight: 3, tint: statusTint },
  ],
  empty: 'No invitees found.',
}

export const userView: View = {
  columns: [
    { field: 'name', title: 'Name' },
    { field: 'email', title: 'E-mail' },
    { field: 'role', title: 'Role' },
  ],
}

export const routingFormView: View = {
  columns: [
    uuid,
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'status', title: 'Status', weight: 2 },
    { field: 'created_at', title: 'Made', weight: 3 },
  ],
  empty: 'No routing forms found.',
}

export const submissionView: View = {
  columns: [
    uuid,
    { field: 'created_at', title: 'Sent in', weight: 1 },
    { field: 'result.type', title: 'Leads to', weight: 2 },
    { field: 'result.value', title: 'Result', weight: 3 },
    { field: 'submitter', title: 'Submitter', weight: 4 },
  ],
  empty: 'No submissions found.',
}

export const credentialView: View = {
  columns: [
    id,
    { field: 'kind', title: 'Kind', weight: 2 },
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'prefix', title: 'Begins with', weight: 3 },
    { field: 'user.name', title: 'User', weight: 4 },
    { field: 'last_used_at', title: 'Last used', weight: 5 },
    { field: 'expires_at', title: 'Expires', weight: 6 },
    { field: 'revoked_at', title: 'Revoked', weight: 7 },
  ],
  empty: 'No credentials found.',
}

export const accountUserView: View = { columns: [id, ...userView.columns], empty: 'No users found.' }

export const auditView: View = {
  columns: [
    id,
    { field: 'created_at', title: 'When', weight: 1 },
    { field: 'user.name', title: 'Who', weight: 2 },
    { field: 'action', title: 'What', weight: 3 },
    { field: 'target', title: 'On what', weight: 4 },
    { field: 'forced', title: 'Forced', weight: 5 },
    { field: 'remote_address', title: 'From', weight: 6 },
    { field: 'request_id', title: 'Request', weight: 7 },
  ],
  empty: 'Nothing was changed in that window.',
}

export const commandView: View = {
  columns: [
    { field: 'name', title: 'Command', weight: 0 },
    { field: 'summary', title: 'What it does', weight: 1 },
  ],
}
