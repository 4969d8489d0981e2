/** The room around a plot, in pixels: known here, so that what lies above a drawing meets it. */
export const AXIS_WIDTH = 52;
export const PLOT_MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const;
/** Below a panel that is not the last one: the label of its zero stands above the next one's highest. */
export const PANEL_GAP = 8;
/** The height of the time axis. */
export const TIME_AXIS_HEIGHT = 24;
