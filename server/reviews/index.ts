export { applyChange, changeInEmergency, decideChange, listChanges, requestChange } from "./binding-changes.ts";
export { setFourEyes } from "./four-eyes.ts";
export { areTwoPeople, type Independence, independenceBy, independenceIn } from "./independence.ts";
export { CHANGE, reasonAgainstDeciding } from "./second-person.ts";
export { request } from "./service.ts";
export { countWaiting, get } from "./views.ts";
