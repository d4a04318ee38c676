#!/bin/sh
# Installs the shells whose completion is tested, where they are missing. Without them those tests are skipped, and say so.
set -eu

missing=
for shell in zsh fish; do
  command -v "$shell" > /dev/null || missing="$missing $shell"
done
[ -n "$missing" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing > /dev/null
