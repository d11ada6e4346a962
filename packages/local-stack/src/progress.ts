/** Told in a few words what is being done, so that a person at a terminal knows what the wait is for. */
export type Progress = (message: string) => void;

export const silent: Progress = () => undefined;
