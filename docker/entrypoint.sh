#!/bin/sh
# Starts the server with the arguments of the container. A variable whose name ends in _FILE names a file (a secret, say) that holds
# the value of the variable without that ending.
set -eu

for name in DATABASE_URL DATABASE_READ_URL QUARTERDECK_TOKEN QUARTERDECK_SESSION_SECRET QUARTERDECK_SIGNING_KEY QUARTERDECK_CREDENTIAL_KEY; do
  eval "file=\${${name}_FILE:-}"
  eval "given=\${${name}:-}"
  [ -n "$file" ] || continue
  if [ -n "$given" ]; then
    echo "quarterdeck: Set $name or ${name}_FILE, not both." >&2
    exit 1
  fi
  if [ ! -r "$file" ]; then
    echo "quarterdeck: ${name}_FILE names $file, which cannot be read." >&2
    exit 1
  fi
  value=$(cat "$file")
  export "$name=$value"
  unset "${name}_FILE"
done

cd "$(dirname "$0")/.."
exec node scripts/start.mjs "$@"
