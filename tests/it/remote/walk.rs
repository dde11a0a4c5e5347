//! Three devices that write, edit, go back and sync in any order end with the same book.

use super::Devices;
use crate::common::Chance;

/// How many steps; more of them when `NOVEL_SYNC_STEPS` says so. `NOVEL_SYNC_SEED` chooses another walk.
fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn three_devices_end_with_the_same_book() {
    let devices = Devices::two(1);
    devices.clone_to("tablet");
    let names = ["desk", "laptop", "tablet"];
    let (steps, mut chance) = (asked("NOVEL_SYNC_STEPS", 14), Chance(asked("NOVEL_SYNC_SEED", 7)));
    let mut tips = Vec::new();
    for step in 0..steps {
        let device = chance.one_of(&names);
        match chance.below(8) {
            0 => {
                let _ = devices.novel(device, &["continue", "--offline", "--no-sync"]);
            }
            1 => {
                let _ = devices.novel(device, &["continue", "--offline"]);
            }
            2 => devices.world.write(&format!("{device}/research/{device}.md"), &format!("第 {step} 步\n")),
            3 => {
                let path = format!("{device}/brief.md");
                devices.world.write(&path, &(devices.world.read(&path) + &format!("\n{device} {step}\n")));
            }
            4 if chance.below(3) == 0 => {
                let _ = devices.novel(device, &["undo"]);
            }
            _ => {
                let take = chance.one_of(&["ours", "theirs"]);
                let synced = devices.novel(device, &["sync", "--take", take]);
                assert_eq!(synced.code, 0, "step {step} on {device}: {synced:#?}");
            }
        }
        tips.push((device, devices.git(device, &["rev-parse", "main"])));
    }
    for device in names.iter().chain(&names) {
        let synced = devices.novel(device, &["sync", "--take", "theirs"]);
        assert_eq!(synced.code, 0, "at the end on {device}: {synced:#?}");
    }
    devices.are_equal(&names);
    let trees: Vec<String> = names.iter().map(|device| devices.world.tree(device)).collect();
    assert!(trees.windows(2).all(|pair| pair[0] == pair[1]), "{trees:?}");
    // Nothing that was ever accepted or committed is out of reach.
    for (device, tip) in tips {
        let reached = devices.git("hub.git", &["for-each-ref", "--contains", &tip, "--count=1"]);
        assert!(!reached.is_empty(), "{tip} of {device} is lost");
    }
}
