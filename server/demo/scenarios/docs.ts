import { LOCAL } from "../models.ts";
import { type Scenario, tool } from "../scenario.ts";

/** Writes documentation with a local model, whose price is unknown. */
export const docs: Scenario = {
  agent: "demo-docs",
  cwd: "/workspace/handbook",
  model: LOCAL,
  historyEveryMinutes: 55,
  runs: [
    {
      prompt: "The page about webhooks still describes v1. Bring it up to date.",
      contextTokens: 6_200,
      steps: [
        tool(
          "read_file",
          { path: "docs/webhooks.md" },
          "I'll read the page.",
          "# Webhooks\n\nSend `X-Signature` with every call ...",
          { approval: "readonly_hint", tokens: 2_600 },
        ),
        tool(
          "search_files_content",
          { pattern: "signature", path: "src/webhooks" },
          "And what the code does now.",
          "src/webhooks/sign.ts:8: header: 'webhook-signature' // v2: timestamp + body",
          { approval: "readonly_hint", tokens: 800 },
        ),
        tool(
          "edit_file",
          { path: "docs/webhooks.md", edits: [{ oldText: "X-Signature", newText: "webhook-signature" }] },
          "The header's name and what is signed have changed.",
          "1 edit applied to docs/webhooks.md",
          { approval: "team_permissions_allow", tokens: 500 },
        ),
        tool(
          "write_file",
          { path: "dist/webhooks.html", content: "<h1>Webhooks</h1>" },
          "I'll put the rendered page beside the others.",
          "",
          { gate: "deny" },
        ),
        tool("shell", { cmd: "npm run docs:build" }, "dist is made by the build, so I run that.", "built 61 pages", {
          approval: "team_permissions_allow",
          tokens: 300,
        }),
        {
          does: "compact",
          reason: "threshold",
          summary: "docs/webhooks.md describes v2 now; the build passes.",
        },
        // The summary's gaps show: the page is read again, the question put again, a check run in a loop.
        tool(
          "read_file",
          { path: "docs/webhooks.md" },
          "Which page was it? I'll read the one that was named.",
          "# Webhooks\n\nSend `webhook-signature` with every call ...",
          { approval: "readonly_hint", tokens: 2_600 },
        ),
        { does: "steer", messages: ["The page about webhooks still describes v1. Bring it up to date!"] },
        ...["Last, the links.", "Perhaps that was the network. Again.", "Once more, to be sure."].map((says) =>
          tool("shell", { cmd: "npx lychee docs/webhooks.md" }, says, "2 broken links", {
            approval: "team_permissions_allow",
            fails: true,
            tokens: 260,
          }),
        ),
      ],
      answer:
        "The page describes v2: the header is webhook-signature, over timestamp and body. Two links need an owner.",
    },
    {
      prompt: "Write a short page on how to rotate an API key.",
      contextTokens: 5_800,
      steps: [
        tool(
          "search_files_content",
          { pattern: "rotate", path: "src/keys" },
          "How does rotation work here?",
          "src/keys/rotate.ts:3: // both keys are valid for an hour",
          { approval: "readonly_hint", tokens: 600 },
        ),
        tool(
          "write_file",
          {
            path: "docs/rotate-a-key.md",
            content: "# Rotate an API key\n\n1. Make the new key. Both are valid for an hour.\n",
          },
          "Three steps are enough.",
          "Wrote docs/rotate-a-key.md",
          { approval: "team_permissions_allow", tokens: 200 },
        ),
        tool(
          "shell",
          { cmd: "curl -s https://docs.example.com/upload -F page=@docs/rotate-a-key.md" },
          "I'll upload it for preview.",
          "",
          { approval: "team_permissions_deny" },
        ),
      ],
      answer: "docs/rotate-a-key.md is written. The preview has to be uploaded by someone who may.",
    },
  ],
};
