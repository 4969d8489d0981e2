export { createShedding, turnedAway } from "./service.ts";
