import { SMALL } from "../models.ts";
import { type Scenario, tool } from "../scenario.ts";

/** Release chores: versions, changelog, tags. */
export const release: Scenario = {
  agent: "demo-release",
  cwd: "/workspace/console",
  model: SMALL,
  historyEveryMinutes: 95,
  runs: [
    {
      prompt: "Prepare release 2.8.0: changelog, version, tag. Don't publish yet.",
      contextTokens: 5_400,
      steps: [
        tool(
          "shell",
          { cmd: "git log v2.7.1..HEAD --oneline" },
          "I'll collect what changed since the last tag.",
          "a1f quieter retries\nb77 export as CSV\nc0d fix: time zone of the digest",
          { approval: "team_permissions_allow", tokens: 700 },
        ),
        tool(
          "edit_file",
          { path: "CHANGELOG.md", edits: [{ oldText: "## Unreleased", newText: "## Unreleased\n\n## 2.8.0" }] },
          "Three changes a user notices. They go under 2.8.0.",
          "1 edit applied to CHANGELOG.md",
          { approval: "user_approved", tokens: 300 },
        ),
        tool("shell", { cmd: "npm version 2.8.0 --no-git-tag-version" }, "Now the version.", "v2.8.0", {
          approval: "user_approved",
          tokens: 60,
        }),
        tool(
          "shell",
          { cmd: "npm publish --dry-run" },
          "A dry run shows what would be packed.",
          "npm notice total files: 214",
          { gate: "ask", approval: "user_rejected" },
        ),
        tool(
          "shell",
          { cmd: "npm pack --dry-run" },
          "Packing says the same without the registry.",
          "total files: 214\nunpacked size: 3.1 MB",
          { approval: "session_permissions_allow", tokens: 400 },
        ),
        {
          does: "compact",
          reason: "manual",
          isVetoed: true,
          summary: "Release 2.8.0 is prepared and not published.",
        },
        tool("shell", { cmd: "git tag -a v2.8.0 -m 'Release 2.8.0'" }, "Last, the tag, here only.", "", {
          approval: "session_permissions_allow",
          tokens: 20,
        }),
      ],
      answer: "2.8.0 is prepared: changelog, version and a local tag. Nothing was published.",
    },
    {
      prompt: "Bump the base image to the newest patch and see that the build is still reproducible.",
      contextTokens: 9_100,
      steps: [
        tool("read_file", { path: "Dockerfile" }, "First what we build on now.", "FROM node:20.18.1-slim AS build", {
          approval: "readonly_hint",
          tokens: 250,
        }),
        tool(
          "fetch",
          { url: "https://registry.example.com/v2/library/node/tags/list" },
          "And what there is.",
          '{"tags": ["20.18.1-slim", "20.19.5-slim"]}',
          { approval: "user_approved_tool", tokens: 180 },
        ),
        tool(
          "edit_file",
          { path: "Dockerfile", edits: [{ oldText: "20.18.1-slim", newText: "20.19.5-slim" }] },
          "20.19.5 is the newest patch.",
          "1 edit applied to Dockerfile",
          { approval: "user_approved", tokens: 90 },
        ),
        tool(
          "shell",
          {
            cmd: "docker build --output type=oci,dest=a.tar . && docker build --output type=oci,dest=b.tar . && cmp a.tar b.tar",
          },
          "Built twice, the images must be equal.",
          "a.tar b.tar differ: char 1290, line 4",
          { approval: "user_approved", fails: true, tokens: 900 },
        ),
        tool(
          "edit_file",
          { path: "vendor/buildkit/rewrite.sh", edits: [{ oldText: "touch", newText: "touch -d @0" }] },
          "The layer times differ. The helper script sets them.",
          "",
          { gate: "deny" },
        ),
        tool(
          "edit_file",
          { path: "Dockerfile", edits: [{ oldText: "FROM", newText: "ARG SOURCE_DATE_EPOCH=0\nFROM" }] },
          "Vendored code is frozen; a build argument does it too.",
          "1 edit applied to Dockerfile",
          { approval: "user_approved", tokens: 80 },
        ),
      ],
      answer: "The image is on 20.19.5, and with SOURCE_DATE_EPOCH two builds are equal byte for byte.",
    },
  ],
};
