// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/**
 * quarterdeck-enrol.sh: an enrolment for machines without Node, as one script that contains the files of every client. It writes files
 * that do not exist yet and removes its own unchanged files. Existing settings need the Node program, which can parse them.
 */
import { createHash } from "node:crypto";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { CLIENT_FILES } from "./client-files.ts";
import { type EnrolmentFile, isOwnFile } from "./enrolment.ts";
import { relayScript } from "./relay/relay-script.ts";
import { ENROLLED_CLIENT_NAMES, ENROLLED_CLIENTS, type EnrolledClientInfo } from "./schema.ts";

const URL = "https://console.invalid";
const BEARER = `qd_${"KeyOfTheAgent".padEnd(43, "0")}`;
const ANSWER_KEY = "0123456789abcdef".repeat(4);
const KEY = `${BEARER}_${ANSWER_KEY}`;
const PROXY = "http://proxy.invalid";
const END = "QUARTERDECK_END_OF_FILE";

/** The only client with a configurable folder. */
const MOVABLE = CLIENT_FILES["docker-agent"].movable;

let text: string | undefined;

export function shellInstaller(): string {
  text ??= [
    ...HEAD,
    'case "$client $scope $telemetry" in',
    ...ENROLLED_CLIENT_NAMES.flatMap(casesOf),
    '*) refuse "There is no client $client with $scope settings." 2 ;;',
    "esac",
    ...OWN_FILES,
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
      ...CLIENT_ENROLMENTS[client]({ url: URL, scope, key: KEY, hasTelemetry, proxy: PROXY })
        .filter(({ path }) => !isOwnFile(path))
        .flatMap(({ path, mode, content }) => putLines(mode.toString(8), `'${path}'`, content)),
      ";;",
    ]),
  );
}

function putLines(mode: string, path: string, content: EnrolmentFile["content"]): string[] {
  return [`put ${mode} ${path} <<'${END}'`, content.replace(/\n$/, ""), END];
}

/** The files that all clients of a machine share. opencode needs no relay, and a key in the older form has no second part. */
const OWN_FILES = [
  'if [ "$client" != opencode ]; then',
  ...putLines("644", '"$relay"', relayScript({ hasOpenssl: true })),
  "fi",
  'if [ "$answer_key" ]; then',
  ...putLines('"$secret"', '"$answer"', ANSWER_KEY),
  "fi",
  ...putLines('"$secret"', '"$header"', `Authorization: Bearer ${BEARER}`),
];

const HEAD = [
  "#!/bin/sh",
  "# Enrols a client with Quarterdeck on a machine without Node: it writes files, and connects to nobody.",
  "#",
  "#     QUARTERDECK_KEY=qd_... sh quarterdeck-enrol.sh CLIENT [--user | --project | --managed] --url URL",
  "#       [--proxy URL] [--no-telemetry] [--dry-run | --remove]",
  "#",
  "# Files that are there already and are other ones are left alone, and then nothing is written: quarterdeck-enrol.mjs merges them.",
  "# Nothing is written through a link: a project may hold one that leads elsewhere.",
  "# Exit codes: 0 done, 1 tried and failed, 2 asked wrongly.",
  "set -eu",
  "umask 077",
  "say() { printf 'quarterdeck-enrol: %s\\n' \"$1\" >&2; }",
  'refuse() { say "$1"; exit "$2"; }',
  "client=${1:-}",
  '[ "$#" -gt 0 ] && shift',
  "scope=user telemetry=yes action=write url=${QUARTERDECK_URL:-} proxy=",
  'while [ "$#" -gt 0 ]; do',
  "  case $1 in",
  "  --user | --project | --managed) scope=${1#--} ;;",
  '  --url) url=${2:-}; [ "$#" -lt 2 ] || shift ;;',
  '  --proxy) proxy=${2:-}; [ "$#" -lt 2 ] || shift ;;',
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
  "proxy=${proxy%/}",
  "case $proxy in",
  "'' | http://[A-Za-z0-9]* | https://[A-Za-z0-9]*) ;;",
  '*) refuse "Give the proxy\'s address with --proxy, as in http://proxy.example.com:3128." 2 ;;',
  "esac",
  "case $proxy in",
  '*[!A-Za-z0-9._~:/-]*) refuse "Give the proxy\'s address without a name or password." 2 ;;',
  "esac",
  "own=$HOME/.config/quarterdeck secret=600",
  'if [ "$scope" = managed ]; then own=/etc/quarterdeck secret=640; fi',
  "header=$own/header answer=$own/answer-key relay=$own/relay",
  "key=${QUARTERDECK_KEY:-}",
  'if [ -z "$key" ] && [ -r "$header" ]; then',
  '  key=$(sed -n "s/^Authorization: Bearer //p" "$header")',
  '  if [ -r "$answer" ]; then key=$key$(sed -n "s/^\\([0-9a-f]*\\)$/_\\1/p" "$answer"); fi',
  "fi",
  "case $key in",
  "'') refuse \"Set QUARTERDECK_KEY to the agent's key: without one every call would be blocked.\" 1 ;;",
  '*[!A-Za-z0-9._~+/=-]*) refuse "Give the agent\'s key as it was shown." 2 ;;',
  "esac",
  "bearer=${key%_*} answer_key=${key##*_}",
  "case $answer_key in *[!0-9a-f]*) answer_key= ;; esac",
  'if [ "${#answer_key}" != 64 ]; then bearer=$key answer_key=; fi',
  "check=none",
  "if command -v openssl >/dev/null 2>&1; then check=openssl; fi",
  'if [ "$action" = write ] && [ -z "$answer_key" ] && { [ "$check" = openssl ] || [ "$client" = opencode ]; }; then',
  '  refuse "This key is of an older form, with which answers cannot be checked. Create a new key for this agent, then enrol again." 1',
  "fi",
  'if [ "$client" = docker-agent ] && [ "$action" = write ]; then',
  "  version=$(TELEMETRY_ENABLED=false docker-agent version 2>/dev/null | sed -n '1s/.*version v*\\([0-9]*\\.[0-9]*\\).*/\\1/p') || version=",
  '  if [ "$version" ] && [ "${version%%.*}" -le 1 ] && [ "${version#*.}" -lt 100 ]; then',
  '    refuse "docker-agent $version reads no files in hooks.d, so nothing was written. Update it to 1.100 or later." 1',
  "  fi",
  "fi",
  "draft=$(mktemp -d)",
  "trap 'rm -rf \"$draft\"' EXIT",
  "# Not every shell counts a signal as an exit, and the key is in there.",
  "trap 'exit 1' HUP INT TERM",
  "# In a file: an argument would be seen by everyone who lists processes.",
  `printf 's|${URL}|%s|g\\ns|${BEARER}|%s|g\\ns|${ANSWER_KEY}|%s|g\\n' "$url" "$bearer" "$answer_key" >"$draft/edits"`,
  `if [ "$proxy" ]; then printf 's|${PROXY}|%s|g\\n' "$proxy"; else printf 's| ${PROXY}||g\\n'; fi >>"$draft/edits"`,
  'printf "s/^check=openssl\\$/check=%s/\\n" "$check" >>"$draft/edits"',
  "count=0",
  "put() {",
  "  count=$((count + 1))",
  "  case $2 in",
  `  "${MOVABLE.folder}/"*)`,
  `    moved=\${${MOVABLE.variables.join(":-${")}:-}${"}".repeat(MOVABLE.variables.length - 1)}`,
  "    root=${moved:-$HOME}",
  `    case $root in /*) ;; *) root=$PWD/$root ;; esac`,
  `    path=\${moved:+$root/\${2#"${MOVABLE.folder}/"}} path=\${path:-$HOME/\${2#"~/"}} ;;`,
  '  "~/"*) root=$HOME path=$HOME/${2#"~/"} ;;',
  '  "$HOME/.config/"*) root=$HOME path=$2 ;;',
  "  /etc/*) root=/etc path=$2 ;;",
  "  *) root=$PWD path=$PWD/$2 ;;",
  "  esac",
  '  sed -f "$draft/edits" >"$draft/$count"',
  '  chmod "$1" "$draft/$count"',
  '  printf "%s\\n" "$path" >"$draft/$count.path"',
  '  printf "%s\\n" "$root" >"$draft/$count.root"',
  "}",
];

const TAIL = [
  "each() {",
  "  number=0",
  '  while [ "$number" -lt "$count" ]; do',
  "    number=$((number + 1))",
  '    path=$(cat "$draft/$number.path") root=$(cat "$draft/$number.root")',
  '    "$1"',
  "  done",
  "}",
  'is_there() { [ -e "$path" ] || [ -L "$path" ]; }',
  'is_ours() { [ -f "$path" ] && cmp -s "$draft/$number" "$path"; }',
  'is_key() { [ "$path" = "$header" ] || [ "$path" = "$answer" ]; }',
  'is_shared() { is_key || [ "$path" = "$relay" ]; }',
  "# The folder itself may be reached by a link; below it nothing may be one.",
  "refuse_links() {",
  '  rest=${path#"$root"/} at=$root',
  "  while :; do",
  "    at=$at/${rest%%/*}",
  '    if [ -L "$at" ]; then refuse "$at is a link, and nothing is written through it. Remove the link, or enrol where it leads." 1; fi',
  "    case $rest in */*) rest=${rest#*/} ;; *) return 0 ;; esac",
  "  done",
  "}",
  "check() {",
  '  if [ -d "$path" ]; then refuse "$path is a folder, and nothing was written. Move it away." 1; fi',
  "  if is_there && ! is_ours && ! is_shared; then",
  '    refuse "$path is there already, and nothing was written. Merge it with quarterdeck-enrol.mjs, or move it away." 1',
  "  fi",
  "}",
  "show() {",
  "  if is_ours; then return; fi",
  '  printf "# %s\\n" "$path"',
  '  sed -e "s/Bearer [A-Za-z0-9._~+\\/=-]*/Bearer (the key, not shown)/" -e "s/^[0-9a-f]\\{64\\}\\$/(the key, not shown)/" "$draft/$number"',
  "}",
  "write() {",
  '  if is_ours; then if is_key; then chmod go-w,o-r "$path"; fi; return; fi',
  '  folder=$(dirname "$path")',
  "  # Settings of all users in a folder that they may not enter would hold nobody.",
  '  if [ "$folder" = "$HOME/.config/quarterdeck" ]; then mkdir -p "$folder"; else (umask 022 && mkdir -p "$folder"); fi',
  "  refuse_links",
  '  new=$(mktemp "$folder/.quarterdeck.XXXXXX")',
  '  cp -p "$draft/$number" "$new"',
  "  group=",
  '  if is_key && [ -f "$path" ]; then',
  '    group=$(ls -nLd "$path" | (read -r _ _ _ gid _ && printf %s "$gid"))',
  '    chgrp "$group" "$new" || { rm -f "$new"; refuse "$path would lose its group, and is left as it is." 1; }',
  "  fi",
  '  mv -f "$new" "$path"',
  '  say "wrote $path"',
  '  if [ "$scope" = managed ] && is_key && [ -z "$group" ]; then say "Give $path to the group of the people who run agents (chgrp): no other user reads the key."; fi',
  "}",
  "# Hooks without a key or a relay would block every call: nothing else is written where these cannot be.",
  "write_shared() { if is_shared; then write; fi; }",
  "remove() {",
  '  if is_shared; then is_there && say "$path stays: other clients may use it."; return 0; fi',
  '  if is_ours; then rm "$path"; say "removed $path"; elif is_there; then say "$path was changed, and is left as it is."; fi',
  "}",
  "say_check() {",
  '  if [ "$client" = opencode ] || [ "$check" = openssl ]; then say "The signature of each answer is checked."',
  '  else say "There is no openssl on this machine, so signatures of answers are not checked: install it, then enrol again."; fi',
  "}",
  "case $action in",
  "show) each show ;;",
  "write)",
  "  each refuse_links",
  "  each check",
  "  each write_shared",
  "  each write",
  "  say_check",
  "  ;;",
  "remove)",
  "  each refuse_links",
  "  each remove",
  "  ;;",
  "esac",
];
