/** Login and API keys. These are never repeated after an unknown outcome: each may have been executed. */
import type { Request } from './base.js';
/** A login: its token and its device. */
export interface Session {
    readonly token: string;
    readonly deviceId: string;
}
/** Begins a session. */
export declare function login(email: string, password: string): Request;
/** Creates an API key. */
export declare function createKey(session: Session, name: string): Request;
