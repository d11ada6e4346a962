import { init } from '@paralleldrive/cuid2';

/** A new opaque id: 24 lower-case letters and digits beginning with a letter (D1). */
export const newId: () => string = init({ length: 24 });
