"""What pyspf, dkimpy and authheaders say of mails. Reads the table of records and cases from standard input (JSON)."""

import base64
import json
import re
import sys

import authheaders
import authres
import dkim
import spf

table = json.load(sys.stdin)
records, addresses = table["records"], table["addresses"]


def text(name, *_, **__):
    name = name.decode() if isinstance(name, bytes) else name
    return records.get(name.rstrip(".").lower())


def text_bytes(name, timeout=5):
    found = text(name)
    return found.encode() if found else None


def lookup(name, kind, *_, **__):
    key = name.rstrip(".").lower()
    if kind == "TXT" and key in records:
        return [((name, "TXT"), (records[key].encode(),))]
    if kind == "A" and key in addresses:
        return [((name, "A"), addresses[key])]
    return []


spf.DNSLookup = lookup


def dkim_of(raw):
    if b"DKIM-Signature:" not in raw:
        return "none"
    try:
        return "pass" if dkim.DKIM(raw).verify(0, dnsfunc=text_bytes) else "fail"
    except dkim.DKIMException:
        return "fail"


def arc_of(raw):
    result, _, _ = dkim.arc_verify(raw, dnsfunc=text_bytes)
    return result.decode() if isinstance(result, bytes) else str(result)


def dmarc_of(raw, spf_result, dkim_result, sender):
    signer = re.search(r"DKIM-Signature:[\s\S]*?\bd=([^;\s]+)", raw.decode())
    return authheaders.check_dmarc(
        raw,
        authres.SPFAuthenticationResult(result=spf_result, smtp_mailfrom=sender),
        authres.DKIMAuthenticationResult(result=dkim_result, header_d=signer.group(1) if signer else None),
        dnsfunc=text,
    ).result


def verdicts(case):
    raw = base64.b64decode(case["raw"])
    found_spf = spf.check2(i=case["ip"], s=case["from"], h=case["helo"])[0]
    found_dkim = dkim_of(raw)
    return {
        "spf": found_spf,
        "dkim": found_dkim,
        "dmarc": dmarc_of(raw, found_spf, found_dkim, case["from"]),
        "arc": arc_of(raw),
    }


json.dump([verdicts(case) for case in table["cases"]], sys.stdout)
