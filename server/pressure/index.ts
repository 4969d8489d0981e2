export { LEVEL_MAX } from "./controller.ts";
export { createPressure, type Pressure } from "./service.ts";
export { type PressureWatch, watchDelays } from "./watch.ts";
export {
  GATHER_WAIT_MS,
  READ_WAIT_MS_MAX,
  REFRESH_WAIT_MS,
  YIELDS_AT,
  type Yielding,
  yieldingAt,
} from "./yielding.ts";
