/** A mistake of whoever typed the command, or something only they can put right. */
export class AdminError extends Error {}
