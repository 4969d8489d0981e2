/** docker-agent's payload: native already. */

import type { Payload, Reading } from "../dialect.ts";
import { readNative } from "../read-native.ts";

export function readDockerAgent(payload: Payload, urlEvent: string): Reading {
  return readNative("docker-agent", payload, urlEvent);
}
