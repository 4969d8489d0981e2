/** docker-agent's payload: native already. */
import { readNative } from "../read-native.ts";
import type { Payload, Reading } from "../schema.ts";

export function readDockerAgent(payload: Payload, urlEvent: string): Reading {
  return readNative("docker-agent", payload, urlEvent);
}
