import type { Rule } from "../rule.ts";
import { AI } from "./ai.ts";
import { CLOUDS } from "./clouds.ts";
import { FORGES } from "./forges.ts";
import { IDENTITY } from "./identity.ts";
import { MATERIAL } from "./material.ts";
import { MESSAGING } from "./messaging.ts";
import { MONITORING } from "./monitoring.ts";
import { PAYMENT } from "./payment.ts";
import { QUARTERDECK } from "./quarterdeck.ts";
import { VENDORS } from "./vendors.ts";

/** Every rule of the detector. Their order does not matter. */
export const SECRET_RULES: readonly Rule[] = [
  ...CLOUDS,
  ...FORGES,
  ...AI,
  ...PAYMENT,
  ...MESSAGING,
  ...MONITORING,
  ...IDENTITY,
  ...QUARTERDECK,
  ...VENDORS,
  ...MATERIAL,
];
