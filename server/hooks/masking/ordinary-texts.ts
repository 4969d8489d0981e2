/** Texts that no mask should hide: a pattern that hides them is too wide. */

/** Names of events, fields and arguments, which records, pages and rules read. */
export const KNOWN_NAMES: readonly string[] = [
  ...["session_id", "hook_event_name", "agent_name", "tool_name", "tool_use_id", "tool_input", "tool_response"],
  ...["prompt", "messages", "summary", "reason", "cwd", "role", "content", "text", "type", "name", "id"],
  ...["command", "cmd", "args", "path", "file_path", "url", "query", "pattern", "old_string", "new_string"],
  ...["pre_tool_use", "post_tool_use", "user_prompt_submit", "allow", "ask", "deny", "block", "user", "assistant"],
];

export const ORDINARY_TEXTS: readonly string[] = [
  "git status --short && npm test -- --run server/app.test.ts",
  "/home/dev/projects/shop/src/components/cart-button.tsx",
  "Please rename the function and run the tests again. Then open a pull request.",
  "export const add = (left: number, right: number): number => left + right;",
  "https://docs.example.com/guide/getting-started?version=2#install",
  "SELECT id, created_at FROM orders WHERE state = 'open' ORDER BY created_at LIMIT 20",
  "3 files changed, 41 insertions(+), 7 deletions(-)",
  "Error: ENOENT: no such file or directory, open 'package.json'",
];
