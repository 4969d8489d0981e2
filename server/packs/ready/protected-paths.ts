import { gateScript, SHELL_TOOLS, WRITING_TOOLS } from "@quarterdeck/hooks/contract/gate-scripts";
import { indentBlock, type Pack } from "../pack.ts";

const PATHS = String.raw`
secret='([.]env([.][A-Za-z0-9_-]+)?|[.]ssh|[.]aws|[.]gnupg|[.]netrc|[.]npmrc|[.]pypirc|id_(rsa|ed25519|ecdsa))(/|$)'
text=$(printf '%s\n' "$text" | LC_ALL=C grep -Ev -e '(^|/)[.]env[.](example|sample|template)$')
[ $? -le 1 ] || say deny "The call could not be judged, so it is refused."
# A path begins a text, follows a slash, or is named in a patch.
at='(^|/|[*]{3} [A-Z][A-Za-z ]+: )'
when deny "$secret" "Credentials are kept by people. Describe the change, or add it to .env.example."
when deny '[.]git/' "The inside of a repository is changed by git only."
when ask '([.]github/workflows|[.]gitlab-ci[.]yml|[.]circleci|Jenkinsfile|CODEOWNERS)(/|$)' "This changes what runs with the project's rights: a person decides."
`;
const SHELL = `
when deny '>[[:space:]]*[^[:space:]]*(^|/|[[:space:]]|>)([.]env|[.]ssh/|[.]aws/|[.]netrc|[.]git/)' "Credentials and the inside of a repository are not written by a shell."
when deny '(^|[[:space:]])(tee|cp|mv|sed[[:space:]]+-i[^[:space:]]*|install|ln)[[:space:]](.*[[:space:]/])?([.]env|[.]ssh/[^[:space:]]*|[.]aws/[^[:space:]]*|[.]netrc|[.]git/[^[:space:]]*)([[:space:]]|$)' "Credentials and the inside of a repository are not written by a shell."
`;

export const protectedPaths: Pack = {
  id: "protected-paths",
  title: "Protected paths",
  version: 3,
  promise: "Credentials, the inside of a repository and what builds run are not changed by the way.",
  denies:
    "writing `.env`, `.ssh`, `.aws`, `.netrc`, `.npmrc`, private keys and `.git/`, with file tools and the usual shell commands.",
  asks: "changes of workflows, CI files and CODEOWNERS with file tools.",
  changes: "",
  passes: "every other path, and `.env.example`.",
  limits:
    "It reads every text of a call, so a file whose content is such a path on a line of its own is refused too. Links, names put together at run time, and programs that write by themselves are not seen. Reading is not limited.",
  source: `# Some files are people's. Extend the lists with your own.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${WRITING_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: protected paths
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, gateScript(PATHS))}
    - matcher: "${SHELL_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: protected paths in a shell
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, gateScript(SHELL))}
`,
};
