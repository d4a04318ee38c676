# PowerShell completion for bookctl. Generated; do not edit.

Register-ArgumentCompleter -Native -CommandName bookctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # What can follow a word: name, description.
  $verbs = @{
    '' = @(
      , @('init', 'Make a booking business on this machine')
      , @('customers', 'Customer records')
      , @('appointments', 'Booked meetings of a customer with a staff member')
      , @('appointment-types', 'What can be booked: name, length, who offers it')
      , @('services', 'What the business sells; groups appointment types')
      , @('staff', 'Staff members, their hours and when they can be booked')
      , @('calendar', 'A week of one staff member or of all, drawn')
      , @('me', 'The user whose credential is used')
      , @('auth', 'Sign in, and see which credential is used')
      , @('profiles', 'Businesses and services this machine knows')
      , @('config', 'Settings of this machine')
      , @('serve', 'The service on a port')
      , @('completion', 'Completion for a shell')
      , @('help', 'Help with a command or a topic')
    )
    'customers' = @(
      , @('list', 'List customers')
      , @('get', 'Read a customer')
      , @('create', 'Create a customer')
      , @('update', 'Change a customer')
      , @('delete', 'Hide or erase a customer')
      , @('restore', 'Bring a hidden customer back')
    )
    'appointments' = @(
      , @('list', 'List appointments')
      , @('get', 'Read an appointment')
      , @('create', 'Book an appointment')
      , @('update', 'Change what is noted about an appointment')
      , @('reschedule', 'Move an appointment to another time')
      , @('cancel', 'Cancel an appointment')
      , @('complete', 'Mark an appointment as completed')
      , @('no-show', 'Mark that the customer did not come')
    )
    'appointment-types' = @(
      , @('list', 'List appointment types')
      , @('get', 'Read an appointment type')
      , @('create', 'Create an appointment type')
      , @('update', 'Change an appointment type')
      , @('delete', 'Remove an appointment type')
    )
    'services' = @(
      , @('list', 'List services')
      , @('get', 'Read a service')
      , @('create', 'Create a service')
      , @('update', 'Change a service')
      , @('delete', 'Remove a service that has no appointment types')
    )
    'staff' = @(
      , @('list', 'List staff members')
      , @('get', 'Read a staff member')
      , @('create', 'Create a staff member')
      , @('update', 'Change a staff member')
      , @('delete', 'Remove a staff member who has no upcoming appointments')
      , @('hours', 'Show or set the weekly working hours of a staff member')
      , @('time-off', 'Show, add or remove time off of a staff member')
      , @('available', 'List available times')
    )
    'auth' = @(
      , @('login', 'Sign in and keep the credentials in the profile')
      , @('status', 'Say which credential is used for each address, and whether it works')
      , @('logout', 'Forget the credentials of the profile')
      , @('token', 'Print the access token, or the API key, alone on stdout')
    )
    'profiles' = @(
      , @('list', 'List profiles')
      , @('use', 'Choose the profile that is used when none is named')
      , @('add', 'Add a profile for a service that runs elsewhere')
      , @('remove', 'Forget a profile and its credentials')
    )
    'config' = @(
      , @('list', 'List settings and their values')
      , @('get', 'Print the value of a setting')
      , @('set', 'Keep a setting in the user file')
      , @('unset', 'Take a setting out of the user file')
      , @('path', 'Print where the user file is')
    )
  }
  $flags = @{
    'init' = @(
      , @('--sample', 'Add a small business to play with: staff, services, customers, two weeks of appointments')
      , @('--name', 'Name of the business')
      , @('--time-zone', 'Its zone; that of this machine when left out')
      , @('--owner-name', 'Your name')
      , @('--owner-email', 'Your e-mail, to sign in with at bookctl serve')
      , @('--password-stdin', 'Read a password for signing in from stdin')
      , @('--database', 'Another place for the database')
    )
    'customers list' = @(
      , @('--search', 'Match a part of name, e-mail or phone')
      , @('--email', 'Exactly this e-mail address, whatever its case')
      , @('--deleted', 'Hidden customers too (any) or only (true); false when left out')
      , @('--sort', 'What to sort by; id:asc when left out')
      , @('--limit', 'At most this many rows; 100 when left out')
      , @('--all', 'All rows')
      , @('--require-complete', 'Exit 12 when there are more rows than shown')
      , @('--page-token', 'Go on where a page ended')
    )
    'customers get' = @(

    )
    'customers create' = @(
      , @('--name', 'Full name')
      , @('--email', 'E-mail address')
      , @('--phone', 'Phone number, as people write it')
      , @('--notes', 'Notes for the staff')
      , @('--time-zone', 'The zone the customer lives in')
      , @('--custom-field', 'Names and values of your own')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'customers update' = @(
      , @('--name', 'Full name')
      , @('--email', 'E-mail address')
      , @('--phone', 'Phone number, as people write it')
      , @('--notes', 'Notes for the staff')
      , @('--time-zone', 'The zone the customer lives in')
      , @('--custom-field', 'Names and values of your own')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'customers delete' = @(
      , @('--soft-delete', 'Hide the record and keep it; otherwise the personal data is erased for good')
      , @('--no-soft-delete', 'The opposite of --soft-delete')
      , @('--cancel-appointments', 'Cancel the upcoming appointments instead of refusing')
      , @('--no-cancel-appointments', 'The opposite of --cancel-appointments')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
      , @('--yes', 'Do not ask')
    )
    'customers restore' = @(
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointments list' = @(
      , @('--from', 'Starting at or after')
      , @('--to', 'Starting before')
      , @('--staff', 'Only with this staff member')
      , @('--customer', 'Only of this customer')
      , @('--type', 'Only of this type')
      , @('--status', 'Only in this state')
      , @('--sort', 'What to sort by; start_time:asc when left out')
      , @('--limit', 'At most this many rows; 100 when left out')
      , @('--all', 'All rows')
      , @('--require-complete', 'Exit 12 when there are more rows than shown')
      , @('--page-token', 'Go on where a page ended')
    )
    'appointments get' = @(

    )
    'appointments create' = @(
      , @('--type', 'What is booked')
      , @('--start', 'When it starts')
      , @('--customer', 'Who it is for')
      , @('--customer-name', 'A customer''s full name, instead of an id')
      , @('--customer-email', 'Their e-mail: found by it, else created')
      , @('--customer-phone', 'Their phone number')
      , @('--staff', 'With whom; anybody who is free when left out')
      , @('--title', 'What calendars show; customer and type when left out')
      , @('--notes', 'Notes for the staff')
      , @('--location', 'Where it takes place; the type''s when left out')
      , @('--time-zone', 'The zone the customer chose')
      , @('--answer', 'Replies to the custom questions: [{"question","answer"}]')
      , @('--utm-campaign', 'The campaign it came from')
      , @('--utm-source', 'Where it came from')
      , @('--utm-medium', 'By which medium')
      , @('--utm-content', 'Which link or advertisement')
      , @('--utm-term', 'The search term')
      , @('--salesforce-uuid', 'Its record in Salesforce')
      , @('--force', 'Book although the time is taken or not offered; for admins and owners, and audited')
      , @('--no-force', 'The opposite of --force')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointments update' = @(
      , @('--title', 'What calendars show; customer and type when left out')
      , @('--notes', 'Notes for the staff')
      , @('--location', 'Where it takes place; the type''s when left out')
      , @('--time-zone', 'The zone the customer chose')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointments reschedule' = @(
      , @('--start', 'The new start')
      , @('--staff', 'With whom; the same person when left out')
      , @('--reason', 'What the customer is told')
      , @('--force', 'Book although the time is taken or not offered; for admins and owners, and audited')
      , @('--no-force', 'The opposite of --force')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointments cancel' = @(
      , @('--reason', 'What the customer is told')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
      , @('--yes', 'Do not ask')
    )
    'appointments complete' = @(
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointments no-show' = @(
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointment-types list' = @(
      , @('--active', 'Only those that are offered, or only those that are not')
      , @('--no-active', 'The opposite of --active')
      , @('--service', 'Only those of this service')
      , @('--sort', 'What to sort by; id:asc when left out')
      , @('--limit', 'At most this many rows; 100 when left out')
      , @('--all', 'All rows')
      , @('--require-complete', 'Exit 12 when there are more rows than shown')
      , @('--page-token', 'Go on where a page ended')
    )
    'appointment-types get' = @(

    )
    'appointment-types create' = @(
      , @('--name', 'What can be booked')
      , @('--service', 'The service it belongs to')
      , @('--duration', 'Minutes')
      , @('--staff', 'Who offers it')
      , @('--slot-interval', 'Minutes between two start times; the duration when left out')
      , @('--buffer-before', 'Minutes kept free before')
      , @('--buffer-after', 'Minutes kept free after')
      , @('--minimum-notice', 'Minutes between booking and start, at least')
      , @('--booking-window', 'How many days ahead it can be booked; 60 when left out')
      , @('--daily-limit', 'How many a staff member takes a day')
      , @('--location', 'Where it takes place')
      , @('--price', 'Decimal string, such as 45.00')
      , @('--currency', 'Three letters, such as EUR')
      , @('--custom-questions', 'Questions put to the customer: [{"name","type","required","answer_choices"}]')
      , @('--slug', 'Its part of the booking page address; made from the name when left out')
      , @('--color', 'For calendars, such as #3b82f6')
      , @('--active', 'Whether it is offered')
      , @('--no-active', 'The opposite of --active')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointment-types update' = @(
      , @('--name', 'What can be booked')
      , @('--service', 'The service it belongs to')
      , @('--duration', 'Minutes')
      , @('--staff', 'Who offers it')
      , @('--slot-interval', 'Minutes between two start times; the duration when left out')
      , @('--buffer-before', 'Minutes kept free before')
      , @('--buffer-after', 'Minutes kept free after')
      , @('--minimum-notice', 'Minutes between booking and start, at least')
      , @('--booking-window', 'How many days ahead it can be booked; 60 when left out')
      , @('--daily-limit', 'How many a staff member takes a day')
      , @('--location', 'Where it takes place')
      , @('--price', 'Decimal string, such as 45.00')
      , @('--currency', 'Three letters, such as EUR')
      , @('--custom-questions', 'Questions put to the customer: [{"name","type","required","answer_choices"}]')
      , @('--slug', 'Its part of the booking page address; made from the name when left out')
      , @('--color', 'For calendars, such as #3b82f6')
      , @('--active', 'Whether it is offered')
      , @('--no-active', 'The opposite of --active')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'appointment-types delete' = @(
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
      , @('--yes', 'Do not ask')
    )
    'services list' = @(
      , @('--active', 'Only those that are offered, or only those that are not')
      , @('--no-active', 'The opposite of --active')
      , @('--sort', 'What to sort by; id:asc when left out')
      , @('--limit', 'At most this many rows; 100 when left out')
      , @('--all', 'All rows')
      , @('--require-complete', 'Exit 12 when there are more rows than shown')
      , @('--page-token', 'Go on where a page ended')
    )
    'services get' = @(

    )
    'services create' = @(
      , @('--name', 'What the business sells')
      , @('--category', 'What it is grouped under')
      , @('--description', 'What customers read about it')
      , @('--active', 'Whether it is offered')
      , @('--no-active', 'The opposite of --active')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'services update' = @(
      , @('--name', 'What the business sells')
      , @('--category', 'What it is grouped under')
      , @('--description', 'What customers read about it')
      , @('--active', 'Whether it is offered')
      , @('--no-active', 'The opposite of --active')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'services delete' = @(
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
      , @('--yes', 'Do not ask')
    )
    'staff list' = @(
      , @('--active', 'Only those who can be booked, or only those who cannot')
      , @('--no-active', 'The opposite of --active')
      , @('--email', 'Exactly this e-mail address, whatever its case')
      , @('--sort', 'What to sort by; id:asc when left out')
      , @('--limit', 'At most this many rows; 100 when left out')
      , @('--all', 'All rows')
      , @('--require-complete', 'Exit 12 when there are more rows than shown')
      , @('--page-token', 'Go on where a page ended')
    )
    'staff get' = @(

    )
    'staff create' = @(
      , @('--name', 'Full name')
      , @('--email', 'E-mail address, unique among the staff')
      , @('--time-zone', 'The zone of the working hours; the organization''s when left out')
      , @('--working-hours', 'Weekly intervals: [{"day","start","end"}]')
      , @('--extra-hours', 'Single dates: [{"date","start","end"}]')
      , @('--time-off', 'Exceptions: [{"start_time","end_time","reason"}]')
      , @('--user', 'URI of the user who signs in as this staff member')
      , @('--active', 'Whether this person can be booked')
      , @('--no-active', 'The opposite of --active')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'staff update' = @(
      , @('--name', 'Full name')
      , @('--email', 'E-mail address, unique among the staff')
      , @('--time-zone', 'The zone of the working hours')
      , @('--working-hours', 'Weekly intervals: [{"day","start","end"}]')
      , @('--extra-hours', 'Single dates: [{"date","start","end"}]')
      , @('--time-off', 'Exceptions: [{"start_time","end_time","reason"}]')
      , @('--user', 'URI of the user who signs in as this staff member')
      , @('--active', 'Whether this person can be booked')
      , @('--no-active', 'The opposite of --active')
      , @('--input-json', 'A JSON body from a file, or - for stdin; flags win over it')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'staff delete' = @(
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
      , @('--yes', 'Do not ask')
    )
    'staff hours' = @(
      , @('--set', 'Hours of some days; mon-fri=09:00-12:30,13:30-17:00, or sat=off')
      , @('--extra', 'Hours on one date besides the weekly ones, or DATE=off to drop them')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'staff time-off' = @(
      , @('--from', 'First moment off')
      , @('--to', 'End; of a date alone, the end of that day')
      , @('--reason', 'Why')
      , @('--remove', 'Remove the time off that lies in the window instead')
      , @('--dry-run', 'Show the request, send nothing')
      , @('--generate', 'Show the request as a curl command, send nothing')
    )
    'staff available' = @(
      , @('--type', 'What is to be booked')
      , @('--from', 'From')
      , @('--to', 'To, at most 31 days after')
      , @('--staff', 'Only this staff member')
      , @('--limit', 'At most this many rows; 100 when left out')
      , @('--all', 'All rows')
      , @('--require-complete', 'Exit 12 when there are more rows than shown')
    )
    'calendar' = @(
      , @('--week', 'A day of the week to show; this week when left out')
      , @('--staff', 'Only these staff members')
    )
    'me' = @(

    )
    'auth login' = @(
      , @('--email', 'Sign in as')
      , @('--password-stdin', 'Read the password from stdin')
      , @('--with-api-key', 'Read an API key from stdin')
      , @('--with-token', 'Read an access token from stdin')
      , @('--api-key-command', 'Keep a command that prints the API key, instead of the key')
      , @('--token-command', 'Keep a command that prints the access token')
    )
    'auth status' = @(

    )
    'auth logout' = @(
      , @('--yes', 'Do not ask')
    )
    'auth token' = @(
      , @('--api-key', 'The API key instead')
    )
    'profiles list' = @(

    )
    'profiles use' = @(

    )
    'profiles add' = @(
      , @('--base-url', 'Address of the service')
      , @('--api-url', 'Address of webhook subscriptions, where it is another')
      , @('--time-zone', 'The zone times are read and shown in')
    )
    'profiles remove' = @(
      , @('--yes', 'Do not ask')
    )
    'config list' = @(
      , @('--show-origin', 'Say where each value came from')
    )
    'config get' = @(

    )
    'config set' = @(
      , @('--value', 'The value')
    )
    'config unset' = @(

    )
    'config path' = @(

    )
    'serve' = @(
      , @('--port', 'Port; 0 picks a free one; 4242 when left out')
      , @('--host', 'Address to listen on; 127.0.0.1 when left out')
      , @('--database', 'Another database: a file, or postgres://…')
      , @('--public-url', 'The address customers and clients know; kept by the database')
      , @('--quiet', 'Log faults, start and stop, not every request')
    )
    'completion' = @(

    )
    'help' = @(

    )
  }
  $globals = @(
      , @('--profile', 'Which profile to use')
      , @('--output', 'table, json, ndjson, csv or ids')
      , @('--json', 'The same as --output json')
      , @('--fields', 'Only these fields, such as id,customer.email')
      , @('--tz', 'Read and show times in this zone')
      , @('--timeout', 'How long to wait for the service, retries included')
      , @('--no-input', 'Never ask; a missing value is an error')
      , @('--no-color', 'No colour')
      , @('--accessible', 'Plain lines: no drawings, no redrawing')
      , @('--verbose', 'Say each attempt on stderr')
      , @('--debug', 'Show requests and replies on stderr, secrets masked')
      , @('--insecure-http', 'Allow plain http to another machine')
      , @('--help', 'Help')
  )
  $values = @{
    'customers list --deleted' = @('true', 'false', 'any')
    'customers list --sort' = @('id:asc', 'id:desc', 'name:asc', 'name:desc', 'created_at:asc', 'created_at:desc', 'updated_at:asc', 'updated_at:desc')
    'customers create --generate' = @('curl')
    'customers update --generate' = @('curl')
    'customers delete --generate' = @('curl')
    'customers restore --generate' = @('curl')
    'appointments list --status' = @('scheduled', 'canceled', 'completed', 'no_show')
    'appointments list --sort' = @('start_time:asc', 'start_time:desc', 'id:asc', 'id:desc', 'created_at:asc', 'created_at:desc')
    'appointments create --generate' = @('curl')
    'appointments update --generate' = @('curl')
    'appointments reschedule --generate' = @('curl')
    'appointments cancel --generate' = @('curl')
    'appointments complete --generate' = @('curl')
    'appointments no-show --generate' = @('curl')
    'appointment-types list --sort' = @('id:asc', 'id:desc', 'name:asc', 'name:desc', 'created_at:asc', 'created_at:desc')
    'appointment-types create --generate' = @('curl')
    'appointment-types update --generate' = @('curl')
    'appointment-types delete --generate' = @('curl')
    'services list --sort' = @('id:asc', 'id:desc', 'name:asc', 'name:desc', 'created_at:asc', 'created_at:desc')
    'services create --generate' = @('curl')
    'services update --generate' = @('curl')
    'services delete --generate' = @('curl')
    'staff list --sort' = @('id:asc', 'id:desc', 'name:asc', 'name:desc', 'created_at:asc', 'created_at:desc')
    'staff create --generate' = @('curl')
    'staff update --generate' = @('curl')
    'staff delete --generate' = @('curl')
    'staff hours --generate' = @('curl')
    'staff time-off --generate' = @('curl')
    '--output' = @('table', 'json', 'ndjson', 'csv', 'ids')
    '-o' = @('table', 'json', 'ndjson', 'csv', 'ids')
  }
  $arguments = @{
    'config get' = @('profile', 'output', 'timeout', 'time_zone', 'no_input')
    'config set' = @('profile', 'output', 'timeout', 'time_zone', 'no_input')
    'config unset' = @('profile', 'output', 'timeout', 'time_zone', 'no_input')
    'completion' = @('bash', 'zsh', 'fish', 'powershell')
    'help' = @('environment', 'exit-codes', 'output', 'time', 'scripting')
  }
  $takes = @{
    'init' = @('--name', '--time-zone', '--owner-name', '--owner-email', '--database')
    'customers list' = @('--search', '--email', '--deleted', '--sort', '--limit', '--page-token')
    'customers create' = @('--name', '--email', '--phone', '--notes', '--time-zone', '--custom-field', '--input-json', '--generate')
    'customers update' = @('--name', '--email', '--phone', '--notes', '--time-zone', '--custom-field', '--input-json', '--generate')
    'customers delete' = @('--generate')
    'customers restore' = @('--generate')
    'appointments list' = @('--from', '--to', '--staff', '--customer', '--type', '--status', '--sort', '--limit', '--page-token')
    'appointments create' = @('--type', '--start', '--customer', '--customer-name', '--customer-email', '--customer-phone', '--staff', '--title', '--notes', '--location', '--time-zone', '--answer', '--utm-campaign', '--utm-source', '--utm-medium', '--utm-content', '--utm-term', '--salesforce-uuid', '--input-json', '--generate')
    'appointments update' = @('--title', '--notes', '--location', '--time-zone', '--input-json', '--generate')
    'appointments reschedule' = @('--start', '--staff', '--reason', '--input-json', '--generate')
    'appointments cancel' = @('--reason', '--input-json', '--generate')
    'appointments complete' = @('--generate')
    'appointments no-show' = @('--generate')
    'appointment-types list' = @('--service', '--sort', '--limit', '--page-token')
    'appointment-types create' = @('--name', '--service', '--duration', '--staff', '--slot-interval', '--buffer-before', '--buffer-after', '--minimum-notice', '--booking-window', '--daily-limit', '--location', '--price', '--currency', '--custom-questions', '--slug', '--color', '--input-json', '--generate')
    'appointment-types update' = @('--name', '--service', '--duration', '--staff', '--slot-interval', '--buffer-before', '--buffer-after', '--minimum-notice', '--booking-window', '--daily-limit', '--location', '--price', '--currency', '--custom-questions', '--slug', '--color', '--input-json', '--generate')
    'appointment-types delete' = @('--generate')
    'services list' = @('--sort', '--limit', '--page-token')
    'services create' = @('--name', '--category', '--description', '--input-json', '--generate')
    'services update' = @('--name', '--category', '--description', '--input-json', '--generate')
    'services delete' = @('--generate')
    'staff list' = @('--email', '--sort', '--limit', '--page-token')
    'staff create' = @('--name', '--email', '--time-zone', '--working-hours', '--extra-hours', '--time-off', '--user', '--input-json', '--generate')
    'staff update' = @('--name', '--email', '--time-zone', '--working-hours', '--extra-hours', '--time-off', '--user', '--input-json', '--generate')
    'staff delete' = @('--generate')
    'staff hours' = @('--set', '--extra', '--generate')
    'staff time-off' = @('--from', '--to', '--reason', '--generate')
    'staff available' = @('--type', '--from', '--to', '--staff', '--limit')
    'calendar' = @('--week', '--staff')
    'auth login' = @('--email', '--api-key-command', '--token-command')
    'profiles add' = @('--base-url', '--api-url', '--time-zone')
    'config set' = @('--value')
    'serve' = @('--port', '--host', '--database', '--public-url')
  }
  $takesGlobal = @('--profile', '--output', '-o', '--fields', '--tz', '--timeout')
  $aliases = @{
    'appts' = 'appointments'
    'types' = 'appointment-types'
    'cal' = 'calendar'
    'customers ls' = 'customers list'
    'customers rm' = 'customers delete'
    'appointments ls' = 'appointments list'
    'appointments book' = 'appointments create'
    'appointment-types ls' = 'appointment-types list'
    'appointment-types rm' = 'appointment-types delete'
    'services ls' = 'services list'
    'services rm' = 'services delete'
    'staff ls' = 'staff list'
    'staff rm' = 'staff delete'
    'profiles ls' = 'profiles list'
    'profiles rm' = 'profiles remove'
    'profiles delete' = 'profiles remove'
    'config ls' = 'config list'
  }

  $command = ''
  $flag = ''
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1)
  foreach ($element in $before) {
    $word = $element.ToString()
    if ($flag) { $flag = ''; continue }
    if ($word -like '-*') {
      if ($takesGlobal -ccontains $word -or $takes[$command] -ccontains $word) { $flag = $word }
      continue
    }
    if ($flags.ContainsKey($command)) { continue }
    $command = "$command $word".Trim()
    if ($aliases.ContainsKey($command)) { $command = $aliases[$command] }
  }

  $prefix = ''
  $given = $wordToComplete
  if (-not $flag -and $wordToComplete -match '^(--[^=]+)=(.*)$') {
    $flag = $Matches[1]
    $given = $Matches[2]
    $prefix = "$flag="
  }
  if ($flag) {
    $found = $values["$command $flag"]
    if (-not $found) { $found = $values[$flag] }
    $offered = @($found | Where-Object { $_ } | ForEach-Object { , @($_, $_) })
  } elseif ($wordToComplete -like '-*') {
    $offered = @($flags[$command]) + $globals
  } elseif ($arguments.ContainsKey($command)) {
    $offered = @($arguments[$command] | ForEach-Object { , @($_, $_) })
  } else {
    $offered = @($verbs[$command])
  }
  $offered | Where-Object { $_ -and $_[0].StartsWith($given) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$prefix$($_[0])", $_[0], 'ParameterValue', $_[1])
  }
}
