import * as storedMaskings from "./repository.ts";

export { createMaskingInForce, type MaskingInForce } from "./masking-in-force.ts";
export { findMasking, readMasking } from "./stored-masking.ts";
export { storedMaskings };
