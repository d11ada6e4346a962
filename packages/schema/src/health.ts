import { z } from 'zod';

export const Liveness = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Liveness' });

/** `degraded`: serving, but a store that reads can do without is down (D53). */
export const Readiness = z
  .strictObject({ status: z.enum(['ok', 'degraded', 'unavailable']), checks: z.record(z.string(), z.enum(['up', 'down', 'stopping'])) })
  .meta({ id: 'Readiness' });

export type Readiness = z.infer<typeof Readiness>;
