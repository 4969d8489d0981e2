import type { Pack } from "../pack.ts";

export const protectedPaths: Pack = {
  id: "protected-paths",
  version: 5,
  title: "Protected paths",
  promise: "Blocks changes to credentials and repository internals. Changes to CI files require approval.",
  denies:
    "writing `.env`, `.ssh`, `.aws`, `.netrc`, `.npmrc`, private keys and `.git/`, with file tools and the usual shell commands.",
  asks: "changes of workflows, CI files and CODEOWNERS with file tools.",
  changes: "",
  passes: "every other path, and `.env.example`.",
  limits:
    "It does not see links, names that are known only at run time, or programs that write files themselves. Reading is not limited.",
  source: `# Some files are people's. Extend the lists with your own.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: protected paths
          type: rules
          rules:
            - deny: Credentials are kept by people. Describe the change, or add it to .env.example.
              path: { access: write, class: credentials }
            - deny: The inside of a repository is changed by git only.
              path: { access: write, class: version_control }
            - ask: "This changes what runs with the project's rights: a person decides."
              path: { access: write, path: [".github/workflows/**", .gitlab-ci.yml, ".circleci/**", Jenkinsfile, CODEOWNERS] }
`,
};
