/** The version of the interface this service keeps. The service itself has a version of its own. */
export const interfaceVersion = '1.0.5'
