export { createShedding, type Shedding, turnedAway } from "./service.ts";
