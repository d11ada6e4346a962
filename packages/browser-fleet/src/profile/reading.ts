import { z } from 'zod';
import { ProfileDocument } from './document.js';

/** What a browser holds of its profile, and what it was given at its start (null: nothing): it has changed what differs. */
export const ProfileReading = z.object({ captured: ProfileDocument, loaded: ProfileDocument.nullable() });
export type ProfileReading = z.infer<typeof ProfileReading>;
