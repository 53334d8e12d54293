/** The `WebSocket` of a browser, or of another runtime that has one. */
import { type Socket } from './inbox.js';
/** Connects to a stream. Browsers tell neither the status nor the reason of a refusal. */
export declare function openBrowserSocket(url: string, seconds: number): Promise<Socket>;
