/** `add_user_info`: who and where, for the model. Personal data; it is there only when a policy asks for it. */
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

/** A line, or nothing: a machine may not know the name of the user it runs as. */
function line(label: string, look: () => string): string {
  try {
    const value = look().trim();
    return value === "" ? "" : `${label}: ${value}`;
  } catch {
    return "";
  }
}
