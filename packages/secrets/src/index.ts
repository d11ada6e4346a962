export { type ApiKeySecret, describeApiKey, newApiKeySecret } from './api-key.js';
export { digest, matchesDigest } from './digest.js';
export { type SecretKeys, Sealer } from './sealer.js';
