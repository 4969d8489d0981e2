// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/**
 * quarterdeck-enrol.sh: an enrolment for machines without Node, as one text with the files of every client in it. It writes files that are
 * not there yet and takes back those that nobody changed; settings of other people need the program that can read them.
 */
import { createHash } from "node:crypto";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { ENROLLED_CLIENT_NAMES, ENROLLED_CLIENTS, type EnrolledClientInfo } from "./schema.ts";

const URL = "https://console.invalid";
const KEY = "qd_key-of-the-agent";
const END = "QUARTERDECK_END_OF_FILE";

let text: string | undefined;

export function shellInstaller(): string {
  text ??= [
    ...HEAD,
    'case "$client $scope $telemetry" in',
    ...ENROLLED_CLIENT_NAMES.flatMap(casesOf),
    ...TAIL,
    "",
  ].join("\n");
  return text;
}

export const shellInstallerChecksum = (): string => createHash("sha256").update(shellInstaller()).digest("hex");

function casesOf(client: (typeof ENROLLED_CLIENT_NAMES)[number]): string[] {
  const { scopes }: EnrolledClientInfo = ENROLLED_CLIENTS[client];
  return scopes.flatMap((scope) =>
    [true, false].flatMap((hasTelemetry) => [
      `"${client} ${scope} ${hasTelemetry ? "yes" : "no"}")`,
      ...CLIENT_ENROLMENTS[client]({ url: URL, scope, key: KEY, hasTelemetry }).flatMap(({ path, mode, content }) => [
        `put ${mode.toString(8)} '${path}' <<'${END}'`,
        `${content.replace(/\n$/, "")}`,
        END,
      ]),
      ";;",
    ]),
  );
}

const HEAD = [
  "#!/bin/sh",
  "# Enrols a client with Quarterdeck on a machine without Node: it writes files, and connects to nobody.",
  "#",
  "#     QUARTERDECK_KEY=qd_... sh quarterdeck-enrol.sh CLIENT [--user | --project | --managed] --url URL [--no-telemetry] [--dry-run | --remove]",
  "#",
  "# Files that are there already and are other ones are left alone, and then nothing is written: quarterdeck-enrol.mjs merges them.",
  "# Exit codes: 0 done, 1 tried and failed, 2 asked wrongly.",
  "set -eu",
  "umask 077",
  "say() { printf 'quarterdeck-enrol: %s\\n' \"$1\" >&2; }",
  'refuse() { say "$1"; exit "$2"; }',
  "client=${1:-}",
  '[ "$#" -gt 0 ] && shift',
  "scope=user telemetry=yes action=write url=${QUARTERDECK_URL:-}",
  'while [ "$#" -gt 0 ]; do',
  "  case $1 in",
  "  --user | --project | --managed) scope=${1#--} ;;",
  '  --url) url=${2:-}; [ "$#" -lt 2 ] || shift ;;',
  "  --no-telemetry) telemetry=no ;;",
  "  --dry-run) action=show ;;",
  "  --remove) action=remove ;;",
  '  *) refuse "There is no option $1." 2 ;;',
  "  esac",
  "  shift",
  "done",
  "url=${url%/}",
  "case $url in",
  '*[!A-Za-z0-9._~:/-]*) refuse "Give the gateway\'s address with --url, as in https://quarterdeck.example.com." 2 ;;',
  "http://?* | https://?*) ;;",
  '*) refuse "Give the gateway\'s address with --url, as in https://quarterdeck.example.com." 2 ;;',
  "esac",
  "header=$HOME/.config/quarterdeck/header",
  '[ "$scope" != managed ] || header=/etc/quarterdeck/header',
  "key=${QUARTERDECK_KEY:-}",
  'if [ -z "$key" ] && [ -r "$header" ]; then key=$(sed -n "s/^Authorization: Bearer //p" "$header"); fi',
  "case $key in",
  "'') refuse \"Set QUARTERDECK_KEY to the agent's key: without one every call would be blocked.\" 1 ;;",
  '*[!A-Za-z0-9._~+/=-]*) refuse "Give the agent\'s key as it was shown." 2 ;;',
  "esac",
  "draft=$(mktemp -d)",
  "trap 'rm -rf \"$draft\"' EXIT",
  "# Not every shell counts a signal as an exit, and the key is in there.",
  "trap 'exit 1' HUP INT TERM",
  "# In a file: an argument would be seen by everyone who lists processes.",
  `printf 's|${URL}|%s|g\\ns|${KEY}|%s|g\\n' "$url" "$key" >"$draft/edits"`,
  "count=0",
  "put() {",
  "  count=$((count + 1))",
  '  case $2 in "~/"*) path=$HOME/${2#"~/"} ;; /*) path=$2 ;; *) path=$PWD/$2 ;; esac',
  '  sed -f "$draft/edits" >"$draft/$count"',
  '  chmod "$1" "$draft/$count"',
  '  printf "%s\\n" "$path" >"$draft/$count.path"',
  "}",
];

const TAIL = [
  '*) refuse "There is no client $client with $scope settings." 2 ;;',
  "esac",
  "each() {",
  "  number=0",
  '  while [ "$number" -lt "$count" ]; do',
  "    number=$((number + 1))",
  '    path=$(cat "$draft/$number.path")',
  '    "$1"',
  "  done",
  "}",
  'is_there() { [ -e "$path" ] || [ -L "$path" ]; }',
  'is_ours() { [ -f "$path" ] && cmp -s "$draft/$number" "$path"; }',
  "check() {",
  '  if is_there && ! is_ours && [ "$path" != "$header" ]; then',
  '    refuse "$path is there already, and nothing was written. Merge it with quarterdeck-enrol.mjs, or move it away." 1',
  "  fi",
  "}",
  "show() {",
  "  if is_ours; then return; fi",
  '  printf "# %s\\n" "$path"',
  '  sed "s/Bearer [A-Za-z0-9._~+\\/=-]*/Bearer (the key, not shown)/" "$draft/$number"',
  "}",
  "write() {",
  '  if is_ours; then if [ "$path" = "$header" ]; then chmod go-w,o-r "$path"; fi; return; fi',
  "  # Settings of all users in a folder that they may not enter would hold nobody.",
  '  if [ "$path" = "$HOME/.config/quarterdeck/header" ]; then mkdir -p "$(dirname "$path")"; else (umask 022 && mkdir -p "$(dirname "$path")"); fi',
  '  cp -p "$draft/$number" "$path.new"',
  "  group=",
  '  if [ "$path" = "$header" ] && [ -f "$path" ]; then',
  '    group=$(ls -nLd "$path" | (read -r _ _ _ gid _ && printf %s "$gid"))',
  '    chgrp "$group" "$path.new" || { rm -f "$path.new"; refuse "$path would lose its group, and is left as it is." 1; }',
  "  fi",
  '  mv "$path.new" "$path"',
  '  say "wrote $path"',
  '  if [ "$path" = /etc/quarterdeck/header ] && [ -z "$group" ]; then say "Give $path to the group of the people who run agents (chgrp): nobody else reads the key."; fi',
  "}",
  "# Hooks without a key would block every call: nothing else is written where the key cannot be.",
  'write_key() { if [ "$path" = "$header" ]; then write; fi; }',
  "remove() {",
  '  if [ "$path" = "$header" ]; then say "$path holds the key and stays."; return; fi',
  '  if is_ours; then rm "$path"; say "removed $path"; elif is_there; then say "$path was changed, and is left as it is."; fi',
  "}",
  "case $action in",
  "show) each show ;;",
  "write) each check; each write_key; each write ;;",
  "remove) each remove ;;",
  "esac",
];
