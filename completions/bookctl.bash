# bash completion for bookctl. Generated; do not edit.

# The flags of a command, those that take a value, and the words its argument can be.
_bookctl_command() {
  flags='' takes='' arguments=''
  case $1 in
    'init') flags='--sample --name --time-zone --owner-name --owner-email --password-stdin --database' takes=' --name --time-zone --owner-name --owner-email --database' ;;
    'customers list') flags='--search --email --deleted --sort --limit --all --require-complete --page-token' takes=' --search --email --deleted --sort --limit --page-token' ;;
    'customers get')  ;;
    'customers create') flags='--name --email --phone --notes --time-zone --custom-field --input-json --dry-run --generate' takes=' --name --email --phone --notes --time-zone --custom-field --input-json --generate' ;;
    'customers update') flags='--name --email --phone --notes --time-zone --custom-field --input-json --dry-run --generate' takes=' --name --email --phone --notes --time-zone --custom-field --input-json --generate' ;;
    'customers delete') flags='--soft-delete --no-soft-delete --cancel-appointments --no-cancel-appointments --dry-run --generate --yes' takes=' --generate' ;;
    'customers restore') flags='--dry-run --generate' takes=' --generate' ;;
    'appointments list') flags='--from --to --staff --customer --type --status --sort --limit --all --require-complete --page-token' takes=' --from --to --staff --customer --type --status --sort --limit --page-token' ;;
    'appointments get')  ;;
    'appointments create') flags='--type --start --customer --customer-name --customer-email --customer-phone --staff --title --notes --location --time-zone --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --force --no-force --input-json --dry-run --generate' takes=' --type --start --customer --customer-name --customer-email --customer-phone --staff --title --notes --location --time-zone --answer --utm-campaign --utm-source --utm-medium --utm-content --utm-term --salesforce-uuid --input-json --generate' ;;
    'appointments update') flags='--title --notes --location --time-zone --input-json --dry-run --generate' takes=' --title --notes --location --time-zone --input-json --generate' ;;
    'appointments reschedule') flags='--start --staff --reason --force --no-force --input-json --dry-run --generate' takes=' --start --staff --reason --input-json --generate' ;;
    'appointments cancel') flags='--reason --input-json --dry-run --generate --yes' takes=' --reason --input-json --generate' ;;
    'appointments complete') flags='--dry-run --generate' takes=' --generate' ;;
    'appointments no-show') flags='--dry-run --generate' takes=' --generate' ;;
    'appointment-types list') flags='--active --no-active --service --sort --limit --all --require-complete --page-token' takes=' --service --sort --limit --page-token' ;;
    'appointment-types get')  ;;
    'appointment-types create') flags='--name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --active --no-active --input-json --dry-run --generate' takes=' --name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --input-json --generate' ;;
    'appointment-types update') flags='--name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --active --no-active --input-json --dry-run --generate' takes=' --name --service --duration --staff --slot-interval --buffer-before --buffer-after --minimum-notice --booking-window --daily-limit --location --price --currency --custom-questions --slug --color --input-json --generate' ;;
    'appointment-types delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'services list') flags='--active --no-active --sort --limit --all --require-complete --page-token' takes=' --sort --limit --page-token' ;;
    'services get')  ;;
    'services create') flags='--name --category --description --active --no-active --input-json --dry-run --generate' takes=' --name --category --description --input-json --generate' ;;
    'services update') flags='--name --category --description --active --no-active --input-json --dry-run --generate' takes=' --name --category --description --input-json --generate' ;;
    'services delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'staff list') flags='--active --no-active --email --sort --limit --all --require-complete --page-token' takes=' --email --sort --limit --page-token' ;;
    'staff get')  ;;
    'staff create') flags='--name --email --time-zone --working-hours --extra-hours --time-off --user --active --no-active --input-json --dry-run --generate' takes=' --name --email --time-zone --working-hours --extra-hours --time-off --user --input-json --generate' ;;
    'staff update') flags='--name --email --time-zone --working-hours --extra-hours --time-off --user --active --no-active --input-json --dry-run --generate' takes=' --name --email --time-zone --working-hours --extra-hours --time-off --user --input-json --generate' ;;
    'staff delete') flags='--dry-run --generate --yes' takes=' --generate' ;;
    'staff hours') flags='--set --extra --dry-run --generate' takes=' --set --extra --generate' ;;
    'staff time-off') flags='--from --to --reason --remove --dry-run --generate' takes=' --from --to --reason --generate' ;;
    'staff available') flags='--type --from --to --staff --limit --all --require-complete' takes=' --type --from --to --staff --limit' ;;
    'calendar') flags='--week --staff' takes=' --week --staff' ;;
    'me')  ;;
    'auth login') flags='--email --password-stdin --with-api-key --with-token --api-key-command --token-command' takes=' --email --api-key-command --token-command' ;;
    'auth status')  ;;
    'auth logout') flags='--yes' ;;
    'auth token') flags='--api-key' ;;
    'profiles list')  ;;
    'profiles use')  ;;
    'profiles add') flags='--base-url --api-url --time-zone' takes=' --base-url --api-url --time-zone' ;;
    'profiles remove') flags='--yes' ;;
    'config list') flags='--show-origin' ;;
    'config get') arguments='profile output timeout time_zone no_input' ;;
    'config set') flags='--value' takes=' --value' arguments='profile output timeout time_zone no_input' ;;
    'config unset') arguments='profile output timeout time_zone no_input' ;;
    'config path')  ;;
    'serve') flags='--port --host --database --public-url --quiet' takes=' --port --host --database --public-url' ;;
    'completion') arguments='bash zsh fish powershell' ;;
    'help') arguments='environment exit-codes output time scripting' ;;
  esac
  flags+=' --profile --output --json --fields --tz --timeout --no-input --no-color --accessible --verbose --debug --insecure-http --help'
  takes+=' --profile --output -o --fields --tz --timeout '
}

# The words that the value of a flag can be; "/" for a file.
_bookctl_values() {
  values=''
  case $1 in
    'init --database') values='/' ;;
    'customers list --deleted') values='true false any' ;;
    'customers list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc updated_at:asc updated_at:desc' ;;
    'customers create --input-json') values='/' ;;
    'customers create --generate') values='curl' ;;
    'customers update --input-json') values='/' ;;
    'customers update --generate') values='curl' ;;
    'customers delete --generate') values='curl' ;;
    'customers restore --generate') values='curl' ;;
    'appointments list --status') values='scheduled canceled completed no_show' ;;
    'appointments list --sort') values='start_time:asc start_time:desc id:asc id:desc created_at:asc created_at:desc' ;;
    'appointments create --input-json') values='/' ;;
    'appointments create --generate') values='curl' ;;
    'appointments update --input-json') values='/' ;;
    'appointments update --generate') values='curl' ;;
    'appointments reschedule --input-json') values='/' ;;
    'appointments reschedule --generate') values='curl' ;;
    'appointments cancel --input-json') values='/' ;;
    'appointments cancel --generate') values='curl' ;;
    'appointments complete --generate') values='curl' ;;
    'appointments no-show --generate') values='curl' ;;
    'appointment-types list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'appointment-types create --input-json') values='/' ;;
    'appointment-types create --generate') values='curl' ;;
    'appointment-types update --input-json') values='/' ;;
    'appointment-types update --generate') values='curl' ;;
    'appointment-types delete --generate') values='curl' ;;
    'services list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'services create --input-json') values='/' ;;
    'services create --generate') values='curl' ;;
    'services update --input-json') values='/' ;;
    'services update --generate') values='curl' ;;
    'services delete --generate') values='curl' ;;
    'staff list --sort') values='id:asc id:desc name:asc name:desc created_at:asc created_at:desc' ;;
    'staff create --input-json') values='/' ;;
    'staff create --generate') values='curl' ;;
    'staff update --input-json') values='/' ;;
    'staff update --generate') values='curl' ;;
    'staff delete --generate') values='curl' ;;
    'staff hours --generate') values='curl' ;;
    'staff time-off --generate') values='curl' ;;
    'serve --database') values='/' ;;
    *' --output'|*' -o') values='table json ndjson csv ids' ;;
  esac
}

# The full name of a word or of a verb.
_bookctl_name() {
  name=''
  case $1 in
    init) name=init ;;
    customers) name=customers ;;
    appointments|appts) name=appointments ;;
    appointment-types|types) name=appointment-types ;;
    services) name=services ;;
    staff) name=staff ;;
    calendar|cal) name=calendar ;;
    me) name=me ;;
    auth) name=auth ;;
    profiles) name=profiles ;;
    config) name=config ;;
    serve) name=serve ;;
    completion) name=completion ;;
    help) name=help ;;
    'customers list'|'customers ls') name=list ;;
    'customers get') name=get ;;
    'customers create') name=create ;;
    'customers update') name=update ;;
    'customers delete'|'customers rm') name=delete ;;
    'customers restore') name=restore ;;
    'appointments list'|'appointments ls') name=list ;;
    'appointments get') name=get ;;
    'appointments create'|'appointments book') name=create ;;
    'appointments update') name=update ;;
    'appointments reschedule') name=reschedule ;;
    'appointments cancel') name=cancel ;;
    'appointments complete') name=complete ;;
    'appointments no-show') name=no-show ;;
    'appointment-types list'|'appointment-types ls') name=list ;;
    'appointment-types get') name=get ;;
    'appointment-types create') name=create ;;
    'appointment-types update') name=update ;;
    'appointment-types delete'|'appointment-types rm') name=delete ;;
    'services list'|'services ls') name=list ;;
    'services get') name=get ;;
    'services create') name=create ;;
    'services update') name=update ;;
    'services delete'|'services rm') name=delete ;;
    'staff list'|'staff ls') name=list ;;
    'staff get') name=get ;;
    'staff create') name=create ;;
    'staff update') name=update ;;
    'staff delete'|'staff rm') name=delete ;;
    'staff hours') name=hours ;;
    'staff time-off') name=time-off ;;
    'staff available') name=available ;;
    'auth login') name=login ;;
    'auth status') name=status ;;
    'auth logout') name=logout ;;
    'auth token') name=token ;;
    'profiles list'|'profiles ls') name=list ;;
    'profiles use') name=use ;;
    'profiles add') name=add ;;
    'profiles remove'|'profiles rm'|'profiles delete') name=remove ;;
    'config list'|'config ls') name=list ;;
    'config get') name=get ;;
    'config set') name=set ;;
    'config unset') name=unset ;;
    'config path') name=path ;;
  esac
}

# The words that can follow a group.
_bookctl_verbs() {
  verbs=''
  case $1 in
    '') verbs='init customers appointments appointment-types services staff calendar me auth profiles config serve completion help' ;;
    customers) verbs='list get create update delete restore' ;;
    appointments) verbs='list get create update reschedule cancel complete no-show' ;;
    appointment-types) verbs='list get create update delete' ;;
    services) verbs='list get create update delete' ;;
    staff) verbs='list get create update delete hours time-off available' ;;
    auth) verbs='login status logout token' ;;
    profiles) verbs='list use add remove' ;;
    config) verbs='list get set unset path' ;;
  esac
}

_bookctl() {
  local line=${COMP_LINE:0:COMP_POINT} cur='' group='' verb='' flag='' word name verbs values flags takes arguments
  local -a words
  read -r -a words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    cur=${words[${#words[@]} - 1]}
    unset "words[${#words[@]} - 1]"
  fi
  _bookctl_command ''
  for word in "${words[@]:1}"; do
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == --*=* ]]; then
      :
    elif [[ $word == -* ]]; then
      [[ $takes == *" $word "* ]] && flag=$word
    elif [[ -z $group ]]; then
      _bookctl_name "$word"
      [[ -z $name ]] && return
      group=$name
      _bookctl_command "$group"
    elif [[ -z $verb ]]; then
      _bookctl_name "$group $word"
      [[ -z $name ]] && return
      verb=$name
      _bookctl_command "$group $verb"
    fi
  done

  local command="$group${verb:+ $verb}" given=$cur
  if [[ -z $flag && $cur == --*=* ]]; then
    flag=${cur%%=*} given=${cur#*=}
  fi
  if [[ -n $flag ]]; then
    _bookctl_values "$command $flag"
    if [[ $values == / ]]; then
      compopt -o filenames 2> /dev/null
      local IFS=$'\n'
      COMPREPLY=($(compgen -f -- "$given"))
      return
    fi
  elif [[ $cur == -* ]]; then
    values=$flags
  else
    _bookctl_verbs "$group"
    values=$arguments
    [[ -z $verb ]] && values+=" $verbs"
  fi
  COMPREPLY=($(compgen -W "$values" -- "$given"))

  # bash takes a word to begin behind the last "=" or ":", and replaces only what is behind it.
  local last=${COMP_WORDS[COMP_CWORD]}
  [[ $last == [=:] ]] && last=''
  local before=${given%"$last"}
  [[ $given == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$before"}")
  [[ $given != "$cur" && $COMP_WORDBREAKS != *=* ]] && COMPREPLY=("${COMPREPLY[@]/#/$flag=}")
  return 0
}

complete -F _bookctl bookctl
