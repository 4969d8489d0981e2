import type { Pack } from "../pack.ts";

export const packageInstalls: Pack = {
  id: "package-installs",
  version: 5,
  title: "Package installs",
  promise: "Requires approval for installing packages and blocks publishing.",
  denies: "running a download directly (`curl ... | sh`), and publishing packages.",
  asks: "installing, adding and running packages by name with npm, pnpm, yarn, bun, pip, uv, cargo, go, gem, brew, apt and similar tools.",
  changes: "",
  passes: "installs from a lock file without package names (`npm ci`, `npm install`, `yarn`), builds and tests.",
  limits:
    "An install from a lock file runs scripts of its packages. It does not see a package that is added to package.json and then installed without a name: review the file. It does not connect a download with a later call that runs it.",
  source: `# New code from outside is asked about; what was downloaded is not run unread.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: package installs
          type: rules
          rules:
            - deny: What was downloaded is not run unread. Save it, and read it first.
              opaque: download
            - deny: Packages are published by a release, not by an agent.
              any:
                - command: { program: [npm, pnpm, yarn, bun], subcommand: [publish, npm publish] }
                - command: { program: twine, subcommand: upload }
                - command: { program: cargo, subcommand: [publish, yank] }
                - command: { program: gem, subcommand: push }
                - command: { program: [poetry, uv, lerna, hatch, flit], subcommand: publish }
            - ask: "A new package comes in: a person decides."
              any:
                - command: { program: [npm, pnpm, bun, yarn], subcommand: install *, }
                - command: { program: [cargo, go, gem, uv, poetry, composer, dotnet], subcommand: [install *, add *, get *, require *, tool install] }
            - ask: "Python packages come in: a person decides."
              command: { program: pip, subcommand: install }
            - ask: "This may download a program and run it: a person decides."
              any:
                - command: { program: [npm, pnpm, bun, yarn], subcommand: [exec, create, init *] }
                - command: { program: [npx, pnpx, bunx, uvx, pipx] }
            - ask: "Software is installed: a person decides."
              command: { program: [apt, apt-get, aptitude, dnf, yum, apk, brew, pacman, zypper, snap, choco, winget, conda, mamba], subcommand: [install, add, upgrade, reinstall] }
`,
};
