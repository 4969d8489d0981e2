export { listDayStarts, listDaysOfZones } from "./repository.ts";
export { type CalendarPeriod, periodsAt } from "./service.ts";
