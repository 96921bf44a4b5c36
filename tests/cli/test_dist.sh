#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The archives of a release and its list of contents: the same bytes from the same files, and sums that sha256sum confirms.
# The programs in them are tested by `make test-fat` and `make test-windows`.
# Argument: the path of the program luft, which is not used.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
export SOURCE_DATE_EPOCH=1700000000

mkdir -p "$work/tree/bin"
echo text >"$work/tree/file"
printf '#!/bin/sh\n' >"$work/tree/bin/run"
chmod 755 "$work/tree/bin/run"
ln -s file "$work/tree/link"
for form in tar.gz zip; do
    "$root/scripts/dist/pack" "$work/a.$form" "$work/tree"
    touch -d 2001-01-01 "$work/tree/file"
    TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$root/scripts/dist/pack" "$work/b.$form" "$work/tree"
    judge "$form: the same bytes" cmp -s "$work/a.$form" "$work/b.$form"
done
mkdir "$work/unpacked"
tar xzf "$work/a.tar.gz" -C "$work/unpacked"
judge 'files, permissions and links come back' test -x "$work/unpacked/tree/bin/run" -a ! -x "$work/unpacked/tree/file" -a -L "$work/unpacked/tree/link"
(cd "$work" && "$root/scripts/dist/pack" --checksums a.tar.gz a.zip >SHA256SUMS && sha256sum -c --quiet SHA256SUMS)
report 'sha256sum confirms the sums' $?
"$root/scripts/dist/sbom" 1.2.3 zlib=1.2.13 zstd=1.5.4 -- "$work/a.tar.gz" >"$work/a.json"
"$root/scripts/dist/sbom" 1.2.3 zlib=1.2.13 zstd=1.5.4 -- "$work/a.tar.gz" | cmp -s - "$work/a.json"
report 'the list of contents: the same bytes' $?
python3 - "$work/a.json" "$(sha256sum "$work/a.tar.gz" | cut -d ' ' -f 1)" <<'END'
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
ids = {document["SPDXID"], *(item["SPDXID"] for item in document["packages"] + document["files"])}
assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
assert [item["name"] for item in document["packages"]] == ["luft", "zlib", "zstd"]
assert document["files"][0]["checksums"][1] == {"algorithm": "SHA256", "checksumValue": sys.argv[2]}
assert all({item["spdxElementId"], item["relatedSpdxElement"]} <= ids for item in document["relationships"])
END
report 'it is SPDX, with the sums of the files' $?
! "$root/scripts/dist/pack" "$work/a.rar" "$work/tree" 2>/dev/null
report 'another form is refused' $?
finish
