import type { Column, View } from '../output/view.ts'

/** Which fields a person sees of each kind of record, the most telling first. */

const statusTint: Column['tint'] = (value) =>
  ({ scheduled: 'green', completed: 'dim', canceled: 'red', no_show: 'yellow' })[String(value)] as never

const id: Column = { field: 'id', title: 'ID', weight: 0 }

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

export const userView: View = {
  columns: [
    { field: 'name', title: 'Name' },
    { field: 'email', title: 'E-mail' },
    { field: 'role', title: 'Role' },
  ],
}
