/** One DevTools session. `send` rejects with the protocol's error, or when the target is gone. */
export interface CdpSession {
  send<T>(method: string, params?: object): Promise<T>;
  on<P>(event: string, listener: (params: P) => void): void;
  off<P>(event: string, listener: (params: P) => void): void;
}
