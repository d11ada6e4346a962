/** Purposes under which a credential's columns are sealed: the API stores what the worker opens, and the other way round (D45). */
export const credentialPurposes = { values: 'credential-values', totpSecret: 'credential-totp' } as const;
