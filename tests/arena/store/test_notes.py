"""Signed notes: what others have signed is read, what was changed is refused, and keys stay secret."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from arena.store.notes import Note, cosignature_line, cosigned_at, read_note
from referee.keys import PublicKey, Signer, make_signer, read_public_key, read_signer, write_signer
from referee.mistakes import UserError

PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNATURE = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="


def test_a_note_of_another_implementation_is_read_and_written_to_the_byte(tmp_path: Path) -> None:
    """The example of the Go package golang.org/x/mod/sumdb/note, which defined the format."""
    (tmp_path / "key").write_text(f"{PRIVATE}\n")
    signer = read_signer(tmp_path / "key")
    assert str(signer.public_key) == PUBLIC
    written = str(Note(TEXT).signed_by(signer))
    assert written == f"{TEXT}\n— PeterNeumann {SIGNATURE}\n"
    assert Note.parse(written).is_signed_by(PublicKey.parse(PUBLIC))


def test_a_changed_text_name_or_signature_is_refused() -> None:
    signer, other = make_signer("arena.example"), make_signer("arena.example")
    note = Note("one\n2\n").signed_by(signer)
    assert note.is_signed_by(signer.public_key)
    assert not note.is_signed_by(other.public_key), "the same name and another key"
    assert not Note("one\n3\n", note.signatures).is_signed_by(signer.public_key)
    assert not Note("one\n2\n", (("mallory", note.signatures[0][1]),)).is_signed_by(signer.public_key)
    assert not Note("one\n2\n").is_signed_by(signer.public_key)
    good, bad = note.signatures[0], Note("x\n").signed_by(signer).signatures[0]
    assert not Note("one\n2\n", (good, bad)).is_signed_by(signer.public_key), "one of its signatures is wrong"


def test_a_witness_signs_the_time_too() -> None:
    signer, witness = make_signer("arena.example"), make_signer("witness.example")
    note = Note("one\n2\n").signed_by(signer).cosigned_by(witness, 1_800_000_000)
    again = Note.parse(str(note))
    assert again == note
    assert all(again.is_signed_by(each.public_key) for each in (signer, witness))
    assert list(cosigned_at(again, witness.public_key)) == [1_800_000_000]
    assert list(cosigned_at(again, signer.public_key)) == []
    later = Note(note.text, (("witness.example", cosignature_line(witness, "one\n2\n", 1)[:-10] + "AAAAAAAAA="),))
    assert not later.is_signed_by(witness.public_key)


def test_a_key_is_written_for_its_owner_only_and_never_over_another(tmp_path: Path) -> None:
    signer, file = make_signer("arena.example"), tmp_path / "key"
    write_signer(signer, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_signer(file) == signer
    assert signer.seed.hex() not in repr(signer) + str(signer)
    with pytest.raises(UserError, match="cannot be written: File exists"):
        write_signer(signer, file)


def test_a_public_key_is_given_as_text_or_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "public").write_text(f"{PUBLIC}\n")
    assert read_public_key(str(tmp_path / "public")) == read_public_key(PUBLIC) == PublicKey.parse(PUBLIC)


@pytest.mark.parametrize("text", ["", "a", "a+b+c", PUBLIC[:-4], PUBLIC.replace("c74f20a3", "c74f20a4"), PRIVATE])
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"is not a public key; expected NAME\+HASH\+KEY"):
        PublicKey.parse(text)


@pytest.mark.parametrize(
    "text", ["", "x", PUBLIC, PRIVATE[:-4], PRIVATE.replace("c74f20a3", "c74f20a4"), "PRIVATE+KEY+"]
)
def test_what_is_no_private_key_is_refused_without_showing_it(text: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(UserError) as refused:
        read_signer(tmp_path / "key")
    assert str(refused.value) == f"{tmp_path / 'key'}: is not a private key; arena ledger key makes one"


@pytest.mark.parametrize(
    "text", ["", "text\n", "text\n\n", "text\n\n— a\n", f"text\n\n— a {SIGNATURE}", "text\n\n- a AAAA\n"]
)
def test_what_is_no_note_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "note").write_text(text)
    with pytest.raises(UserError, match="is not a signed note"):
        read_note(tmp_path / "note")
    with pytest.raises(UserError, match="cannot be read"):
        read_note(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["", "two words", "a+b", "ä", "x" * 101, "a\nb"])
def test_a_name_that_a_note_cannot_have_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="NAME"):
        make_signer(name)


def test_a_signer_is_one_by_its_seed() -> None:
    assert Signer("a", bytes(32)).public_key == Signer("a", bytes(32)).public_key
