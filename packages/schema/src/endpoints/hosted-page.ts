import * as auth from '../auth-connections.js';
import { endpoint } from '../endpoint.js';
import { ConnectionEvent } from '../login-state.js';

/** Hosted login page: the link itself is exchanged for a cookie that is good for one flow (D58). */
export const hostedPageEndpoints = {
  openHostedPage: endpoint({
    operationId: 'openHostedPage',
    method: 'GET',
    path: '/hosted/{token}',
    tag: 'Hosted login',
    summary: 'The page on which a person finishes a login',
    access: 'none',
    responses: { 200: null },
    errors: ['not_found', 'service_unavailable'],
    mediaType: 'text/html',
  }),
  followHostedFlow: endpoint({
    operationId: 'followHostedFlow',
    method: 'GET',
    path: '/hosted/flow/{id}/events',
    tag: 'Hosted login',
    summary: 'The event stream of the hosted page',
    access: 'hosted',
    responses: { 200: ConnectionEvent, 204: null },
    errors: ['not_found'],
    mediaType: 'text/event-stream',
  }),
  submitHostedFlow: endpoint({
    operationId: 'submitHostedFlow',
    method: 'POST',
    path: '/hosted/flow/{id}/submit',
    tag: 'Hosted login',
    summary: 'Answer from the hosted page',
    access: 'hosted',
    body: auth.SubmitLogin,
    responses: { 202: auth.SubmitAccepted },
    errors: ['bad_request', 'no_active_flow', 'stale_interaction', 'invalid_submission'],
  }),
};
