/** The version of the API. The service has a separate version. */
export const interfaceVersion = '1.0.5'
