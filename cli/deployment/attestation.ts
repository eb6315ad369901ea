import { verify, X509Certificate } from 'node:crypto'

/**
 * The certificate of Sigstore's authority that issues GitHub's signing certificates, valid until October 2031
 * (`sigstore-intermediate`, in the trusted root of https://github.com/sigstore/root-signing).
 */
export const sigstoreAuthority = `-----BEGIN CERTIFICATE-----
MIICGjCCAaGgAwIBAgIUALnViVfnU0brJasmRkHrn/UnfaQwCgYIKoZIzj0EAwMw
KjEVMBMGA1UEChMMc2lnc3RvcmUuZGV2MREwDwYDVQQDEwhzaWdzdG9yZTAeFw0y
MjA0MTMyMDA2MTVaFw0zMTEwMDUxMzU2NThaMDcxFTATBgNVBAoTDHNpZ3N0b3Jl
LmRldjEeMBwGA1UEAxMVc2lnc3RvcmUtaW50ZXJtZWRpYXRlMHYwEAYHKoZIzj0C
AQYFK4EEACIDYgAE8RVS/ysH+NOvuDZyPIZtilgUF9NlarYpAd9HP1vBBH1U5CV7
7LSS7s0ZiH4nE7Hv7ptS6LvvR/STk798LVgMzLlJ4HeIfF3tHSaexLcYpSASr1kS
0N/RgBJz/9jWCiXno3sweTAOBgNVHQ8BAf8EBAMCAQYwEwYDVR0lBAwwCgYIKwYB
BQUHAwMwEgYDVR0TAQH/BAgwBgEB/wIBADAdBgNVHQ4EFgQU39Ppz1YkEZb5qNjp
KFWixi4YZD8wHwYDVR0jBBgwFoAUWMAeX5FFpWapesyQoZMi0CrFxfowCgYIKoZI
zj0EAwMDZwAwZAIwPCsQK4DYiZYDPIaDi5HFKnfxXx6ASSVmERfsynYBiX2X6SJR
nZU84/9DZdnFvvxmAjBOt6QpBlc4J/0DxvkTCqpclvziL6BCCPnjdlIB3Pu3BxsP
mygUY7Ii2zbdCdliiow=
-----END CERTIFICATE-----
`

/** The parts of a Sigstore bundle that prove who signed a statement. */
type Bundle = {
  verificationMaterial: { certificate: { rawBytes: string } }
  dsseEnvelope: { payload: string; payloadType: string; signatures: { sig: string }[] }
}

/** An in-toto statement about files with these digests. */
type Statement = { predicateType: string; subject: { digest: Record<string, string> }[] }

const provenance = 'https://slsa.dev/provenance/v1'

/**
 * Returns whether a bundle proves that a workflow made a file: the authority certified the workflow's key for
 * this run, and the key signed a statement of provenance with the file's SHA-256. The certificate has usually
 * expired, because it is valid for ten minutes. Unlike `gh attestation verify`, this does not look it up in
 * Sigstore's public log.
 */
export function provesProvenance(
  bundle: unknown,
  { sha256, workflow }: { sha256: string; workflow: string },
  authority: string,
): boolean {
  try {
    const { verificationMaterial, dsseEnvelope } = bundle as Bundle
    const certificate = new X509Certificate(
      Buffer.from(verificationMaterial.certificate.rawBytes, 'base64'),
    )
    const { predicateType, subject } = readStatement(dsseEnvelope)
    return (
      certificate.verify(new X509Certificate(authority).publicKey) &&
      certificate.subjectAltName === `URI:${workflow}` &&
      isSigned(dsseEnvelope, certificate) &&
      predicateType === provenance &&
      subject.some(({ digest }) => digest.sha256 === sha256)
    )
  } catch {
    return false
  }
}

const readStatement = ({ payload }: Bundle['dsseEnvelope']): Statement =>
  JSON.parse(Buffer.from(payload, 'base64').toString())

/** Checks the signature of a DSSE envelope, which covers the payload with its type and both lengths. */
function isSigned(
  { payload, payloadType, signatures }: Bundle['dsseEnvelope'],
  { publicKey }: X509Certificate,
): boolean {
  const body = Buffer.from(payload, 'base64')
  const header = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `
  const signed = Buffer.concat([Buffer.from(header), body])
  return signatures.some(({ sig }) =>
    verify('sha256', signed, publicKey, Buffer.from(sig, 'base64')),
  )
}
