import { z } from 'zod';
import { Id } from './primitives.js';

/** What `GET /whoami` answers (D12). */
export const Identity = z
  .strictObject({
    credential: z.strictObject({ kind: z.enum(['org_key', 'project_key', 'oauth']), id: z.string() }),
    organization: z.strictObject({ id: Id, name: z.string() }),
    project_id: Id.nullable().meta({ description: 'The project the credential is bound to, or null.' }),
    resolved_project: z.strictObject({ id: Id, name: z.string() }),
  })
  .meta({ id: 'Identity' });

export type Identity = z.infer<typeof Identity>;
