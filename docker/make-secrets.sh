#!/bin/sh
# Makes the secrets that compose.yaml mounts, once: `docker/make-secrets.sh` in the directory of compose.yaml. Keep a copy; without the
# credential key stored model credentials cannot be opened again.
set -eu

folder=${1:-secrets}
umask 077
mkdir -p "$folder"
make() {
  [ -s "$folder/$1" ] || printf '%s' "$2" >"$folder/$1"
}
random() {
  node -e 'process.stdout.write(require("node:crypto").randomBytes(32).toString("hex"))'
}
pem='process.stdout.write(require("node:crypto").generateKeyPairSync("ed25519").privateKey.export({type:"pkcs8",format:"pem"}))'

make postgres-password "$(random)"
make token "$(random)"
make session-secret "$(random)"
make credential-key "$(random)"
make signing-key "$(node -e "$pem")"
make database-password "$(random)"
make database-url "postgresql://quarterdeck:$(cat "$folder/database-password")@postgres:5432/quarterdeck"
# Containers read them as another user; the directory stays closed to everybody else of this machine.
chmod 0700 "$folder"
chmod 0444 "$folder"/*
