/** The space around a plot, in pixels: shared, so that elements above a drawing align with it. */
export const AXIS_WIDTH = 52;
export const PLOT_MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const;
/** Space below a panel that is not the last one: its zero label is above the highest label of the next panel. */
export const PANEL_GAP = 8;
/** The height of the time axis. */
export const TIME_AXIS_HEIGHT = 24;
