/** The bearer secret of an Authorization header, or undefined when there is none or it is malformed. */
export function bearerSecret(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/=-]{1,8192}) *$/i.exec(header ?? '')?.[1];
}

/** A JWT has three base64url parts; our own keys have no dot. */
export function looksLikeJwt(secret: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(secret);
}
