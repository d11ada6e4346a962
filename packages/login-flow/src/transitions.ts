import type { FlowStatus, FlowStep } from '@berth/schema';

/**
 * Which step may follow which while a flow runs (D40). The chart in README.md is checked against this table. COMPLETED is entered with
 * SUCCESS alone; a step that is not in its own list stays where it is when asked to enter itself.
 */
export const followers: Readonly<Record<FlowStep, readonly FlowStep[]>> = {
  DISCOVERING: ['AWAITING_INPUT', 'AWAITING_EXTERNAL_ACTION', 'SUBMITTING', 'COMPLETED'],
  AWAITING_INPUT: ['AWAITING_INPUT', 'AWAITING_EXTERNAL_ACTION', 'SUBMITTING', 'DISCOVERING', 'COMPLETED'],
  AWAITING_EXTERNAL_ACTION: ['AWAITING_EXTERNAL_ACTION', 'AWAITING_INPUT', 'SUBMITTING', 'DISCOVERING', 'COMPLETED'],
  SUBMITTING: ['SUBMITTING', 'DISCOVERING', 'AWAITING_INPUT', 'AWAITING_EXTERNAL_ACTION', 'COMPLETED'],
  COMPLETED: [],
};

/** The ends that keep the step reached; SUCCESS is the one that enters COMPLETED. */
export const endings = ['FAILED', 'EXPIRED', 'CANCELED'] as const satisfies readonly FlowStatus[];

export const isTerminal = (status: FlowStatus): boolean => status !== 'IN_PROGRESS';

/** A pause: the flow waits for a person, inside or outside of the browser. */
export const isPause = (step: FlowStep): boolean => step === 'AWAITING_INPUT' || step === 'AWAITING_EXTERNAL_ACTION';
