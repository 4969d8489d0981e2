/** `add_user_info`: gives the model the user and host names. This is personal data, included only if a policy asks for it. */
import { hostname, userInfo } from "node:os";
import { createContextOutput } from "./context-output.ts";
import type { Builtin } from "./kind.ts";

export const addUserInfo: Builtin = {
  name: "add_user_info",
  run() {
    const found = [line("User", () => userInfo().username), line("Hostname", hostname)].filter((one) => one !== "");
    return createContextOutput("session_start", found.length === 0 ? "" : `Current user:\n\n${found.join("\n")}`);
  },
};

/** A line, or "": a machine may not know the name of its user. */
function line(label: string, look: () => string): string {
  try {
    const value = look().trim();
    return value === "" ? "" : `${label}: ${value}`;
  } catch {
    return "";
  }
}
