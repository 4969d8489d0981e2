import { SHELL_TOOLS, shellGateScript } from "@quarterdeck/hooks/contract/gate-scripts";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = String.raw`
# A download that a shell runs: curl on one line, a bare shell on the next.
if printf '%s\n' "$text" | LC_ALL=C grep -Eq -e "$at"'(curl|wget|fetch)([[:space:]]|$)'; then
  when deny '((ba|da|z|k)?sh|python[0-9.]*|node|perl|ruby)([[:space:]]+(-|-s.*|<|-[a-z]*c))*[[:space:]]*[$]?[[:space:]]*$|(eval|source|[.])[[:space:]]*[$<]?[[:space:]]*$' "What was downloaded is not run unread. Save it, and read it first."
fi
option='([[:space:]]+-[^[:space:]]+([[:space:]]+[^-[:space:]][^[:space:]]*)?)*[[:space:]]+'
name='([[:space:]].*)?[[:space:]]+[^-[:space:]]'
when deny "(npm|pnpm|yarn|bun)([[:space:]]+npm)?$option(publish)([[:space:]]|$)" "Packages are published by a release, not by an agent."
when deny '(twine[[:space:]]+upload|cargo[[:space:]]+(publish|yank)|gem[[:space:]]+push|poetry[[:space:]]+publish|uv[[:space:]]+publish)' "Packages are published by a release, not by an agent."
when ask "(npm|pnpm|bun)$option(i|in|ins|install|add)$name" "A new package comes in: a person decides."
when ask '(npm|pnpm|bun|yarn)[[:space:]](.*[[:space:]])?(exec|dlx|x|create|init)[[:space:]]+[^-[:space:]]|(npx|pnpx|bunx|uvx|pipx)[[:space:]]' "This may download a program and run it: a person decides."
when ask 'yarn[[:space:]](.*[[:space:]])?add[[:space:]]' "A new package comes in: a person decides."
when ask '(pip[0-9.]*|python[0-9.]*[[:space:]]+-m[[:space:]]+pip|uv[[:space:]]+pip)[[:space:]](.*[[:space:]])?install[[:space:]]' "Python packages come in: a person decides."
when ask '(apt|apt-get|aptitude|dnf|yum|apk|brew|pacman|zypper|snap|choco|winget|conda|mamba)[[:space:]](.*[[:space:]])?(install|add|-S[a-z]*|upgrade|reinstall)([[:space:]]|$)' "Software is installed: a person decides."
when ask '(cargo|go|gem|uv|poetry|composer|dotnet)[[:space:]](.*[[:space:]])?(install|add|get|require)[[:space:]]+[^[:space:]]' "A new package comes in: a person decides."
`;

export const packageInstalls: Pack = {
  id: "package-installs",
  title: "Package installs",
  version: 3,
  promise: "No code of strangers comes in, and none of yours goes out, without a person who saw it.",
  denies: "running what was just downloaded (`curl ... | sh`), and publishing packages.",
  asks: "installing, adding and running packages by name with npm, pnpm, yarn, bun, pip, uv, cargo, go, gem, brew, apt and their like.",
  changes: "",
  passes: "installs from a lock file that name nothing (`npm ci`, `npm install`, `yarn`), builds and tests.",
  limits:
    "An install from a lock file runs scripts of packages that are already in it. A package written into package.json by hand and then installed without a name is not seen; review the file. A download saved and run in two calls is not seen as one.",
  source: `# New code from outside is asked about; what was downloaded is not run unread.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${SHELL_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: package installs
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, shellGateScript(RULES))}
`,
};
