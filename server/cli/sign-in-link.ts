import { z } from "zod";
import { env } from "../platform/env.ts";
import { print } from "./print.ts";
import { mutate } from "./server.ts";

/** Prints a new one-time sign-in link. */
export async function printSignInLink(): Promise<void> {
  const { token } = await mutate("access.createSignInLink", undefined, z.object({ token: z.string() }));
  print(`${env().url}/sign-in?token=${token}\n`);
}
