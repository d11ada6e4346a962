export { type SecretKeys, Sealer } from './sealer.js';
export { digest, matchesDigest } from './digest.js';
