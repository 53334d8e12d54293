/**
 * A WebSocket over Node's HTTP client. Node itself has a `WebSocket` only since version 22, and it hides the status of
 * a refusal. This one sees the status, and stops reading while its reader is behind, so that memory stays bounded.
 */
import { type Socket } from './inbox.js';
/** Connects to a stream. The exchange sends pings, so this side sends none. */
export declare function openNodeSocket(url: string, seconds: number): Promise<Socket>;
