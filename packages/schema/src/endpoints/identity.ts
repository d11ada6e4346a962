import { endpoint } from '../endpoint.js';
import { Identity } from '../identity.js';

export const identityEndpoints = {
  whoami: endpoint({
    operationId: 'whoami',
    method: 'GET',
    path: '/whoami',
    tag: 'Authentication',
    summary: 'Inspect the credential of this request',
    access: 'any',
    responses: { 200: Identity },
    errors: [],
  }),
};
